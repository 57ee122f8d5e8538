/* SPDX-License-Identifier: MIT */
/*
 * Details of the limits on data in flight, buffers and windows: the height of the limit, the rate
 * that it allows, and the time that the connection would have taken without it.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_INFLIGHT_LIMITS_H
#define TW_EXPLAIN_ATTRIBUTE_INFLIGHT_LIMITS_H

#include "explain/attribute/cause_totals.h"

/* The height of a ceiling, the rate that it allows, and what it would take to fill the path. */
void tw_inflight_limit_report(const struct tw_cause_total *cost);

/* The same for a receive window, and the reason for its size. */
void tw_inflight_limit_report_window(const struct tw_cause_total *cost);

/* The same for a receive window that was closed. */
void tw_inflight_limit_report_closed(const struct tw_cause_total *cost);

#endif
