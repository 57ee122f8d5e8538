/* SPDX-License-Identifier: MIT */
/* Builds what both sides sent from the log; sender_acks.h adds what they had heard. */
#ifndef TW_EXPLAIN_SENDER_SENDER_TIMELINE_BUILD_H
#define TW_EXPLAIN_SENDER_SENDER_TIMELINE_BUILD_H

#include "explain/sender/sender_timeline.h"

/* Build both sides, by sender, in one pass. */
void tw_sender_timeline_build(const struct tw_connection *connection, const struct tw_log *log,
                              const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                              struct tw_scratch *scratch, struct tw_sender_timeline out[2]);

#endif
