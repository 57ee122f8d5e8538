/* SPDX-License-Identifier: MIT */
/*
 * Losses and their recovery: an episode runs from the lost segment until its retransmission is
 * acknowledged. Losses before the vantage show as holes, or as a step of the sender's IP ID if
 * nothing else remains of them.
 */
#ifndef TW_EXPLAIN_LOSS_RECOVERY_H
#define TW_EXPLAIN_LOSS_RECOVERY_H

#include "explain/loss/recovery_episodes.h"

/* Find the episodes; spurious retransmissions are marked. */
void tw_recovery_build(const struct tw_log *log, struct tw_sender_timeline *sends,
                       const struct tw_vantage *vantage, struct tw_scratch *scratch,
                       struct tw_recovery *out);

#endif
