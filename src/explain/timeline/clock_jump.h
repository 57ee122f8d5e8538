/* SPDX-License-Identifier: MIT */
/*
 * Did the capture's clock jump forward within a gap? Both hosts' TSval clocks (RFC 7323) advanced
 * by much less than usual in that time.
 */
#ifndef TW_EXPLAIN_TIMELINE_CLOCK_JUMP_H
#define TW_EXPLAIN_TIMELINE_CLOCK_JUMP_H

#include "explain/model/gap.h"

enum tw_clock_jump {
    TW_CLOCK_JUMP_NONE,
    TW_CLOCK_JUMP_MAYBE, /* both clocks advanced by less than half of it, or than the slowest may */
    TW_CLOCK_JUMP_TOLD,  /* by almost nothing, and both tick at a rate that stacks use */
};

enum tw_clock_jump tw_clock_jump_of(const struct tw_gap *gap);

#endif
