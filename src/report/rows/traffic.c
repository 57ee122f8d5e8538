/* SPDX-License-Identifier: MIT */
#include "report/rows/traffic.h"

#include "base/array.h"

/* An hour of seconds and more; 400 kB. */
#define MAX_INTERVALS TW_CONNECTION_COUNTERS_MOST

/* Listeners with a series of their own, and its bound: 25 MB at the very most. */
#define MAX_LISTENERS          1000
#define MAX_LISTENER_INTERVALS 256

/* Narrower than a timer tick nothing is to be seen, wider than a day nothing is left. */
#define LEAST_INTERVAL TCPWHY_MS(1)
#define MOST_INTERVAL  TCPWHY_S(86400)

static void clear_series(gpointer series)
{
    tw_intervals_clear(series);
}

tcpwhy_ns tw_traffic_width(tcpwhy_ns interval_ns)
{
    return interval_ns <= 0 ? TCPWHY_S(1) : CLAMP(interval_ns, LEAST_INTERVAL, MOST_INTERVAL);
}

struct tw_traffic *tw_traffic_new(tcpwhy_ns interval_ns)
{
    struct tw_traffic *t = tw_new0(struct tw_traffic, 1);

    tw_intervals_init(&t->whole, tw_traffic_width(interval_ns), MAX_INTERVALS);
    t->listeners = tw_array_new(FALSE, TRUE, sizeof(struct tw_intervals));
    t->most_listeners = MAX_LISTENERS;
    tw_array_set_clear_func(t->listeners, clear_series);
    return t;
}

void tw_traffic_bound(struct tw_traffic *t, uint64_t bytes)
{
    uint64_t most = bytes / (MAX_LISTENER_INTERVALS * sizeof(struct tcpwhy_interval));

    t->most_listeners = (guint)MIN(most, MAX_LISTENERS);
}

struct tw_traffic *tw_traffic_copy(const struct tw_traffic *t)
{
    struct tw_traffic *copy = tw_traffic_new(t->whole.width_ns);

    copy->most_listeners = t->most_listeners;
    tw_intervals_clear(&copy->whole);
    tw_intervals_copy(&copy->whole, &t->whole);
    tw_array_set_size(copy->listeners, t->listeners->len);
    for (guint i = 0; i < t->listeners->len; i++)
        tw_intervals_copy(&tw_array_index(copy->listeners, struct tw_intervals, i),
                          &tw_array_index(t->listeners, struct tw_intervals, i));
    return copy;
}

void tw_traffic_free(struct tw_traffic *t)
{
    if (!t)
        return;
    tw_intervals_clear(&t->whole);
    tw_array_free(t->listeners, TRUE);
    tw_free(t);
}

struct tw_intervals *tw_traffic_series(struct tw_traffic *t, guint listener)
{
    if (listener >= t->most_listeners)
        return NULL;
    while (listener >= t->listeners->len) {
        struct tw_intervals fresh;

        tw_intervals_init(&fresh, t->whole.width_ns, MAX_LISTENER_INTERVALS);
        tw_array_append_val(t->listeners, fresh);
    }
    return &tw_array_index(t->listeners, struct tw_intervals, listener);
}

static void mark(struct tcpwhy_interval *i, enum tw_setup_event event)
{
    switch (event) {
    case TW_EVENT_SYN:
        i->syns++;
        break;
    case TW_EVENT_SYN_AGAIN:
        i->syns++;
        i->syn_repeats++;
        break;
    case TW_EVENT_UNANSWERED:
        i->unanswered++;
        break;
    case TW_EVENT_REFUSED:
        i->refused++;
        break;
    case TW_EVENT_OPENED:
        i->opened++;
        break;
    }
}

void tw_traffic_event(void *user, enum tw_setup_event event, tcpwhy_ns at_ns)
{
    const struct tw_traffic_pen *pen = user;

    mark(tw_intervals_at(pen->whole, at_ns), event);
    if (pen->own)
        mark(tw_intervals_at(pen->own, at_ns), event);
}

static void add_part(struct tcpwhy_interval *i, const struct tw_connection_counters_part *part)
{
    i->payload_bytes[0] += part->payload_bytes[0];
    i->payload_bytes[1] += part->payload_bytes[1];
    i->retransmissions += part->retransmissions;
}

void tw_traffic_add(const struct tw_traffic_pen *pen, const struct tw_connection_counters *counters)
{
    const struct tw_connection_counters_part *part = tw_connection_counters_parts(counters);

    for (uint32_t i = 0; i < counters->n; i++) {
        add_part(tw_intervals_at(pen->whole, part[i].at_ns), &part[i]);
        if (pen->own) {
            struct tcpwhy_interval *own = tw_intervals_at(pen->own, part[i].at_ns);

            add_part(own, &part[i]);
            own->frames += part[i].frames;
        }
    }
}

static struct tw_interval_series take(struct tw_intervals *series, tw_ptr_array *blocks)
{
    gpointer block;
    struct tw_interval_series view = tw_intervals_take(series, &block);

    if (block)
        tw_ptr_array_add(blocks, block);
    return view;
}

struct tw_interval_series tw_traffic_whole(struct tw_traffic *t, tw_ptr_array *blocks)
{
    return take(&t->whole, blocks);
}

struct tw_interval_series tw_traffic_listener(struct tw_traffic *t, guint listener,
                                              tw_ptr_array *blocks)
{
    struct tw_intervals *series;

    if (listener >= t->listeners->len)
        return (struct tw_interval_series) { 0 };
    series = &tw_array_index(t->listeners, struct tw_intervals, listener);
    /* The series may have begun before the whole capture's intervals doubled. */
    tw_intervals_match(series, t->whole.width_ns);
    return take(series, blocks);
}
