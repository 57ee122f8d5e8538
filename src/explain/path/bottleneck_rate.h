/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_PATH_BOTTLENECK_RATE_H
#define TW_EXPLAIN_PATH_BOTTLENECK_RATE_H

#include "explain/model/gap.h"

/*
 * The path's rate in one direction, bytes per second, from the spacing of a burst's segments; at
 * the sender, from the spacing of their ACKs. 0: no burst shows it. *shown: the rate on which many
 * bursts agree, as those spread by one bottleneck do; else 0.
 */
double tw_bottleneck_rate(const struct tw_context *context, enum tcpwhy_side from, double *shown);

#endif
