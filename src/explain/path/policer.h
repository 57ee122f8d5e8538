/* SPDX-License-Identifier: MIT */
/*
 * A policer drops what exceeds its rate, and nothing waits in it (token bucket, RFC 2697): whenever
 * it drops, its bucket is empty, so that from one drop to the next just its rate passes, however
 * much that is and however the sender's window varies. Losses by chance come after any amount, and
 * a queue lengthens the round trip before it drops.
 */
#ifndef TW_EXPLAIN_PATH_POLICER_H
#define TW_EXPLAIN_PATH_POLICER_H

#include "explain/loss/recovery_episodes.h"
#include "explain/model/rounds.h"

/* Bytes of payload a second that it lets pass; 0: none shows. */
double tw_policer_rate(const struct tw_sender_timeline *sends, const struct tw_recovery *recovery,
                       const struct tw_rounds *rounds, const struct tw_vantage *vantage,
                       struct tw_scratch *scratch);

#endif
