/* SPDX-License-Identifier: MIT */
/*
 * A policer drops what exceeds its rate and queues nothing (token bucket, RFC 2697). Its bucket is
 * empty at each drop, so from drop to drop exactly its rate passes, whatever the sender's window
 * does. Random losses come after any amount, and a queue lengthens the RTT before it drops.
 */
#ifndef TW_EXPLAIN_PATH_POLICER_H
#define TW_EXPLAIN_PATH_POLICER_H

#include "explain/loss/recovery_episodes.h"
#include "explain/model/rounds.h"

/* Its rate in payload bytes per second; 0: no policer shows. */
double tw_policer_rate(const struct tw_sender_timeline *sends, const struct tw_recovery *recovery,
                       const struct tw_rounds *rounds, const struct tw_vantage *vantage,
                       struct tw_scratch *scratch);

#endif
