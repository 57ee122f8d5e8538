/* SPDX-License-Identifier: MIT */
/*
 * Did the capture's clock leap forth within a wait? The clocks of both hosts tell (TCP timestamps,
 * RFC 7323): they went on by much less than they do otherwise in that time.
 */
#ifndef TW_EXPLAIN_TIMELINE_CLOCK_JUMP_H
#define TW_EXPLAIN_TIMELINE_CLOCK_JUMP_H

#include "explain/model/gap.h"

enum tw_clock_jump {
    TW_CLOCK_JUMP_NONE,
    TW_CLOCK_JUMP_MAYBE, /* both clocks went on by less than half of it, or than the slowest may */
    TW_CLOCK_JUMP_TOLD,  /* by next to nothing, and both keep a tick that stacks use */
};

enum tw_clock_jump tw_clock_jump_of(const struct tw_gap *gap);

#endif
