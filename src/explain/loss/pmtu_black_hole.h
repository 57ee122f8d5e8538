/* SPDX-License-Identifier: MIT */
/*
 * A path that drops what is large and passes the rest (RFC 2923, section 2.1), as the repeats of
 * one side show it.
 */
#ifndef TW_EXPLAIN_LOSS_PMTU_BLACK_HOLE_H
#define TW_EXPLAIN_LOSS_PMTU_BLACK_HOLE_H

#include "explain/loss/retransmit_evidence.h"
#include "explain/loss/recovery_episodes.h"

/* Mark the episodes of a side, found before, that are a black hole's. */
void tw_pmtu_black_hole_find(const struct tw_sender_timeline *sends,
                             struct tw_retransmit_evidence *evidence, struct tw_recovery *recovery);

#endif
