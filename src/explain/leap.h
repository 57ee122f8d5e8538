/* SPDX-License-Identifier: MIT */
/*
 * Did the capture's clock leap forth within a wait? The clocks of both hosts tell (TCP timestamps,
 * RFC 7323): they went on by much less than they do otherwise in that time.
 */
#ifndef TW_EXPLAIN_LEAP_H
#define TW_EXPLAIN_LEAP_H

#include "explain/wait.h"

bool tw_leap_may_be(const struct tw_wait *wait);

#endif
