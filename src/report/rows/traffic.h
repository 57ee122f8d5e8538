/* SPDX-License-Identifier: MIT */
/*
 * Traffic over time: of the whole capture, and of each listener as long as there are not too many.
 */
#ifndef TW_REPORT_ROWS_TRAFFIC_H
#define TW_REPORT_ROWS_TRAFFIC_H

#include <glib.h>

#include "base/array.h"
#include "report/rows/intervals.h"
#include "report/facts/setup.h"
#include "report/rows/connection_counters.h"

struct tw_traffic {
    struct tw_intervals whole;
    tw_array *listeners; /* struct tw_intervals, by listener */
    guint most_listeners;
};

/* The width of intervals that is used for a requested one; 0 or less: a second. */
tcpwhy_ns tw_traffic_width(tcpwhy_ns interval_ns);

struct tw_traffic *tw_traffic_new(tcpwhy_ns interval_ns);
/* Fewer listeners get a series of their own, so that these take no more. */
void tw_traffic_bound(struct tw_traffic *traffic, uint64_t bytes);
struct tw_traffic *tw_traffic_copy(const struct tw_traffic *traffic);
void tw_traffic_free(struct tw_traffic *traffic);

/* Any frame of the capture, TCP or not. */
static inline void tw_traffic_frame(struct tw_traffic *traffic, tcpwhy_ns at_ns, uint32_t len)
{
    struct tcpwhy_interval *i = tw_intervals_at(&traffic->whole, at_ns);

    i->frames++;
    i->bytes += len;
}

/* The same of some from between two times, if the last interval holds all of them: else false. */
static inline bool tw_traffic_frames(struct tw_traffic *traffic, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                                     uint64_t frames, uint64_t bytes)
{
    const struct tw_intervals *whole = &traffic->whole;

    if ((uint64_t)from_ns - (uint64_t)whole->from_ns >= whole->span_ns ||
        (uint64_t)to_ns - (uint64_t)whole->from_ns >= whole->span_ns)
        return false;
    whole->last->frames += frames;
    whole->last->bytes += bytes;
    return true;
}

/* The intervals to which the events of one connection go. */
struct tw_traffic_pen {
    struct tw_intervals *whole, *own; /* own is NULL for listeners beyond the bound */
};

/* A listener's series, made when there is none yet; NULL beyond the bound. */
struct tw_intervals *tw_traffic_series(struct tw_traffic *traffic, guint listener);

static inline struct tw_traffic_pen tw_traffic_pen(struct tw_traffic *t, guint listener)
{
    struct tw_intervals *own = listener < t->listeners->len
                                   ? &tw_array_index(t->listeners, struct tw_intervals, listener)
                                   : tw_traffic_series(t, listener);

    return (struct tw_traffic_pen) { &t->whole, own };
}

/* Add a connection's records. */
void tw_traffic_add(const struct tw_traffic_pen *pen,
                    const struct tw_connection_counters *counters);

/* A tw_setup_fn; user is a struct tw_traffic_pen. */
void tw_traffic_event(void *pen, enum tw_setup_event event, tcpwhy_ns at_ns);

/* Hand over what was gathered; blocks takes the arrays that the views point into. */
struct tw_interval_series tw_traffic_whole(struct tw_traffic *traffic, tw_ptr_array *blocks);
struct tw_interval_series tw_traffic_listener(struct tw_traffic *traffic, guint listener,
                                              tw_ptr_array *blocks);

#endif
