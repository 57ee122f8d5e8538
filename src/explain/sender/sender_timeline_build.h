/* SPDX-License-Identifier: MIT */
/* What both sides sent, from the log; what they had heard by then is left to sender_acks.h. */
#ifndef TW_EXPLAIN_SENDER_SENDER_TIMELINE_BUILD_H
#define TW_EXPLAIN_SENDER_SENDER_TIMELINE_BUILD_H

#include "explain/sender/sender_timeline.h"

/* Of both sides, by sender, in one go. */
void tw_sender_timeline_build(const struct tw_connection *connection, const struct tw_log *log,
                              const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                              struct tw_scratch *scratch, struct tw_sender_timeline out[2]);

#endif
