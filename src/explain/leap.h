/* SPDX-License-Identifier: MIT */
/*
 * Did the capture's clock leap forth within a wait? The clocks of both hosts tell (TCP timestamps,
 * RFC 7323): they went on by much less than they do otherwise in that time.
 */
#ifndef TW_EXPLAIN_LEAP_H
#define TW_EXPLAIN_LEAP_H

#include "explain/wait.h"

enum tw_leap {
    TW_LEAP_NONE,
    TW_LEAP_MAYBE, /* both clocks went on by less than half of it, or than the slowest may */
    TW_LEAP_TOLD,  /* by next to nothing, and both keep a tick that stacks use */
};

enum tw_leap tw_leap_of(const struct tw_wait *wait);

#endif
