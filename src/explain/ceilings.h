/* SPDX-License-Identifier: MIT */
/*
 * The numbers of what lets only so much be in flight, buffers and windows: how high the ceiling is,
 * what rate it allows, and how long the connection would have taken without it.
 */
#ifndef TW_EXPLAIN_CEILINGS_H
#define TW_EXPLAIN_CEILINGS_H

#include "explain/cost.h"

/* How long the connection would have taken: what the cause moved goes at the path's rate, in bytes
 * a second; 0: in no time. */
void tw_ceiling_estimate(const struct tw_cost *cost, double path_rate);

/* The height of a ceiling, the rate that it allows, and what it would take to fill the path. */
void tw_ceiling_tell(const struct tw_cost *cost);

/* The same of a receive window, and why it is as small. */
void tw_ceiling_tell_window(const struct tw_cost *cost);

/* Of one that was closed. */
void tw_ceiling_tell_closed(const struct tw_cost *cost);

#endif
