/* SPDX-License-Identifier: MIT */
/*
 * Room of less than a segment stays unused (silly-window avoidance, RFC 9293, 3.8.6.2.1) until
 * there is more, or a timer fires.
 */
#ifndef TW_EXPLAIN_SENDER_SWS_AVOIDANCE_H
#define TW_EXPLAIN_SENDER_SWS_AVOIDANCE_H

#include "explain/sender/sender_timeline.h"

/* Do this send and those that left with it fill such room? */
bool tw_sws_remainder_is_filled(const struct tw_log *log, const struct tw_sender_timeline *sends,
                                uint32_t send);

#endif
