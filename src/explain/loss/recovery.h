/* SPDX-License-Identifier: MIT */
/*
 * Losses and their repair: an episode runs from the lost segment's turn until its repair is
 * acknowledged. Losses that lie before the vantage show as holes, or as a step of the sender's IP
 * identification where nothing else is left of them.
 */
#ifndef TW_EXPLAIN_LOSS_RECOVERY_H
#define TW_EXPLAIN_LOSS_RECOVERY_H

#include "explain/loss/recovery_episodes.h"

/* Find the episodes; sends that repeated what had arrived are marked spurious. */
void tw_recovery_build(const struct tw_log *log, struct tw_sender_timeline *sends,
                       const struct tw_vantage *vantage, struct tw_scratch *scratch,
                       struct tw_recovery *out);

#endif
