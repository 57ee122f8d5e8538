/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_PATH_BOTTLENECK_RATE_H
#define TW_EXPLAIN_PATH_BOTTLENECK_RATE_H

#include "explain/model/gap.h"

/*
 * Bytes a second that the path carries in one direction, from how far apart the segments of a burst
 * arrive; seen from the sender, from how far apart their ACKs come back. 0 when no burst tells.
 * *shown: the rate that many bursts agree on, as those do that one slow place has spread; else 0.
 */
double tw_bottleneck_rate(const struct tw_context *context, enum tcpwhy_side from, double *shown);

#endif
