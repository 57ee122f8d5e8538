/* SPDX-License-Identifier: MIT */
/*
 * Intervals of one width that grow with time up to a bound; then two become one.
 */
#ifndef TW_REPORT_ROWS_INTERVALS_H
#define TW_REPORT_ROWS_INTERVALS_H

#include <glib.h>

#include <tcpwhy/facts.h>

#include "base/array.h"
#include "report/report_rows.h"

struct tw_intervals {
    tcpwhy_ns width_ns;
    guint max;                    /* intervals kept */
    int64_t first;                /* the first interval begins at first * width_ns */
    tw_array *interval;           /* struct tcpwhy_interval */
    struct tcpwhy_interval *last; /* the one asked for last, from from_ns on ... */
    tcpwhy_ns from_ns;
    uint64_t span_ns; /* ... for so long; 0 without one */
};

void tw_intervals_init(struct tw_intervals *series, tcpwhy_ns width_ns, guint max);
void tw_intervals_copy(struct tw_intervals *to, const struct tw_intervals *from);
void tw_intervals_clear(struct tw_intervals *series);

/* Widen the intervals to those of another series, when they are narrower. */
void tw_intervals_match(struct tw_intervals *series, tcpwhy_ns width_ns);

/* The interval that holds a time, made when there is none; times before 0 belong to the first. */
struct tcpwhy_interval *tw_intervals_find(struct tw_intervals *series, tcpwhy_ns at_ns);

/* Most frames are in the interval of the frame before. Valid until the next call. */
static inline struct tcpwhy_interval *tw_intervals_at(struct tw_intervals *series, tcpwhy_ns at_ns)
{
    if (G_LIKELY((uint64_t)at_ns - (uint64_t)series->from_ns < series->span_ns))
        return series->last;
    return tw_intervals_find(series, at_ns);
}

/* Hand the intervals over: *block is the array that the view points into, to be tw_free'd. */
struct tw_interval_series tw_intervals_take(struct tw_intervals *series, gpointer *block);

#endif
