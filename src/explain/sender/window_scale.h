/* SPDX-License-Identifier: MIT */
/*
 * Infers the window scale of a side whose SYNs the capture lacks: no sender exceeds a window it has
 * heard of, and no receiver takes back what it allowed (RFC 9293, 3.8.6). The first gives the
 * smallest shift, the second the largest.
 */
#ifndef TW_EXPLAIN_SENDER_WINDOW_SCALE_H
#define TW_EXPLAIN_SENDER_WINDOW_SCALE_H

#include "explain/sender/sender_timeline.h"

/* Infer the scale of the windows that the other side grants to these sends. Fills in wscale and
 * wscale_inferred. */
void tw_window_scale_infer(struct tw_sender_timeline *sends, const struct tw_log *log);

#endif
