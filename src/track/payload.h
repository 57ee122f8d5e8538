/* SPDX-License-Identifier: MIT */
/*
 * Decides what a segment with payload or a FIN carries: new bytes, bytes that overtook others, or
 * the same again.
 */
#ifndef TW_TRACK_PAYLOAD_H
#define TW_TRACK_PAYLOAD_H

#include "track/track.h"

/* Set the frame's class and facts, and advance its sender. Not for a SYN or RST. */
void tw_payload_take(struct tw_tracked *t, struct tw_side *own);

/* Was this very packet captured before (mirrored twice, two interfaces merged)? Asked only of
 * frames with nothing new. */
bool tw_captured_before(const struct tw_tracked *tracked, const struct tw_side *side);

#endif
