/* SPDX-License-Identifier: MIT */
/*
 * A path that drops large segments and passes others (RFC 2923, 2.1), as the retransmissions of one
 * side show.
 */
#ifndef TW_EXPLAIN_LOSS_PMTU_BLACK_HOLE_H
#define TW_EXPLAIN_LOSS_PMTU_BLACK_HOLE_H

#include "explain/loss/retransmit_evidence.h"
#include "explain/loss/recovery_episodes.h"

/* Mark those of a side's recoveries that are a black hole's. */
void tw_pmtu_black_hole_find(const struct tw_sender_timeline *sends,
                             struct tw_retransmit_evidence *evidence, struct tw_recovery *recovery);

#endif
