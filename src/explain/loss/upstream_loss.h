/* SPDX-License-Identifier: MIT */
/*
 * Losses before the vantage: the lost data was not captured, only its retransmission.
 */
#ifndef TW_EXPLAIN_LOSS_UPSTREAM_LOSS_H
#define TW_EXPLAIN_LOSS_UPSTREAM_LOSS_H

#include "explain/loss/recovery_episodes.h"

/* Where an episode's data was lost: its first record, its start, and the hole before what had
 * passed by then. */
void tw_upstream_loss_origin(const struct tw_log *log, struct tw_recovery_episode *episode);

/* Is new data, with this many packets missing before it, the retransmission of a lost tail? Then
 * the episode gets its origin and kind. */
bool tw_upstream_loss_tail(const struct tw_log *log, const struct tw_sender_timeline *sends,
                           const struct tw_vantage *vantage, const struct tw_send *own,
                           unsigned lacking, bool probes, struct tw_recovery_episode *episode);

#endif
