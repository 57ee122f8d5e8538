/* SPDX-License-Identifier: MIT */
/*
 * Losses before the vantage: of what was lost nothing was captured, and what is seen is the repair.
 */
#ifndef TW_EXPLAIN_LOSS_UPSTREAM_LOSS_H
#define TW_EXPLAIN_LOSS_UPSTREAM_LOSS_H

#include "explain/loss/recovery_episodes.h"

/* Where what an episode repairs was lost: its first record, its beginning, and the hole before what
 * had passed by then. */
void tw_upstream_loss_origin(const struct tw_log *log, struct tw_recovery_episode *episode);

/* Is new data, before which so many packets are missing, the repair of a lost tail? Then the
 * episode has its origin and kind. */
bool tw_upstream_loss_tail(const struct tw_log *log, const struct tw_sender_timeline *sends,
                           const struct tw_vantage *vantage, const struct tw_send *own,
                           unsigned lacking, bool probes, struct tw_recovery_episode *episode);

#endif
