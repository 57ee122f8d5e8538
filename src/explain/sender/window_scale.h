/* SPDX-License-Identifier: MIT */
/*
 * How the windows of a side scale whose SYNs the capture does not hold: nobody sends beyond a
 * window that he has heard of, and no receiver takes back what he allowed (RFC 9293, 3.8.6). The
 * one tells the least shift, the other the largest.
 */
#ifndef TW_EXPLAIN_SENDER_WINDOW_SCALE_H
#define TW_EXPLAIN_SENDER_WINDOW_SCALE_H

#include "explain/sender/sender_timeline.h"

/* Of the windows that the other side lets the sends fill. Fills in wscale and how it is inferred.
 */
void tw_window_scale_infer(struct tw_sender_timeline *sends, const struct tw_log *log);

#endif
