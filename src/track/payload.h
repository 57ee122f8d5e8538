/* SPDX-License-Identifier: MIT */
/*
 * What a segment with payload or a FIN brings: new bytes, some that overtook others, or the same
 * again.
 */
#ifndef TW_TRACK_PAYLOAD_H
#define TW_TRACK_PAYLOAD_H

#include "track/track.h"

/* The frame's class and facts, and where its sender stands then. Not of a SYN or RST. */
void tw_payload_take(struct tw_tracked *t, struct tw_side *own);

/* Was this very packet captured before (a mirror of both directions, two interfaces merged)? Asked
 * only of what brings nothing new. */
bool tw_captured_before(const struct tw_tracked *tracked, const struct tw_side *side);

#endif
