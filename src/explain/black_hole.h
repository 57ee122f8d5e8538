/* SPDX-License-Identifier: MIT */
/*
 * A path that drops what is large and passes the rest (RFC 2923, section 2.1), as the repeats of
 * one side show it.
 */
#ifndef TW_EXPLAIN_BLACK_HOLE_H
#define TW_EXPLAIN_BLACK_HOLE_H

#include "explain/evidence.h"
#include "explain/recovery.h"

/* Mark the episodes of a side, found before, that are a black hole's. */
void tw_black_hole_find(const struct tw_sends *sends, struct tw_evidence *evidence,
                        struct tw_recovery *recovery);

#endif
