/* SPDX-License-Identifier: MIT */
#include "report/rows/intervals.h"

#include "base/array.h"

void tw_intervals_init(struct tw_intervals *s, tcpwhy_ns width_ns, guint max)
{
    *s = (struct tw_intervals) { .width_ns = width_ns, .max = max };
    s->interval = tw_array_new(FALSE, TRUE, sizeof(struct tcpwhy_interval));
}

/* No interval was asked for last. */
static void forget_last(struct tw_intervals *s)
{
    s->last = NULL;
    s->from_ns = 0;
    s->span_ns = 0;
}

void tw_intervals_copy(struct tw_intervals *to, const struct tw_intervals *from)
{
    *to = *from;
    to->interval = tw_array_copy(from->interval);
    forget_last(to);
}

void tw_intervals_clear(struct tw_intervals *s)
{
    if (s->interval)
        tw_array_free(s->interval, TRUE);
    *s = (struct tw_intervals) { 0 };
}

static struct tcpwhy_interval *nth(struct tw_intervals *s, guint i)
{
    return &tw_array_index(s->interval, struct tcpwhy_interval, i);
}

static void add(struct tcpwhy_interval *to, const struct tcpwhy_interval *from)
{
    to->frames += from->frames;
    to->bytes += from->bytes;
    to->payload_bytes[0] += from->payload_bytes[0];
    to->payload_bytes[1] += from->payload_bytes[1];
    to->retransmissions += from->retransmissions;
    to->syns += from->syns;
    to->syn_repeats += from->syn_repeats;
    to->unanswered += from->unanswered;
    to->refused += from->refused;
    to->opened += from->opened;
}

/* Make the intervals 2^doublings as wide. */
static void widen(struct tw_intervals *s, unsigned doublings)
{
    int64_t first = s->first >> doublings;
    guint n = 0;

    for (guint i = 0; i < s->interval->len; i++) {
        guint to = (guint)(((s->first + i) >> doublings) - first);
        struct tcpwhy_interval moved = *nth(s, i);

        if (to == n)
            *nth(s, n++) = moved;
        else
            add(nth(s, to), &moved);
    }
    tw_array_set_size(s->interval, n);
    s->first = first;
    s->width_ns *= INT64_C(1) << doublings;
}

void tw_intervals_match(struct tw_intervals *s, tcpwhy_ns width_ns)
{
    while (s->width_ns < width_ns)
        widen(s, 1);
    forget_last(s);
}

/* The number of times the width must double for both ends to fit. */
static unsigned doublings_needed(const struct tw_intervals *s, int64_t low, int64_t high)
{
    unsigned doublings = 0;

    while ((high >> doublings) - (low >> doublings) >= s->max)
        doublings++;
    return doublings;
}

static void grow(struct tw_intervals *s, int64_t at)
{
    int64_t last = s->first + s->interval->len - 1;

    if (at < s->first) {
        gpointer none = tw_malloc0((gsize)(s->first - at) * sizeof(struct tcpwhy_interval));

        tw_array_prepend_vals(s->interval, none, (guint)(s->first - at));
        tw_free(none);
        s->first = at;
    } else if (at > last) {
        tw_array_set_size(s->interval, (guint)(at - s->first + 1));
    }
}

struct tcpwhy_interval *tw_intervals_find(struct tw_intervals *s, tcpwhy_ns at_ns)
{
    int64_t at = MAX(at_ns, 0) / s->width_ns;

    if (s->interval->len == 0) {
        s->first = at;
    } else {
        int64_t last = s->first + s->interval->len - 1;
        unsigned doublings = doublings_needed(s, MIN(at, s->first), MAX(at, last));

        if (doublings) {
            widen(s, doublings);
            at >>= doublings;
        }
    }
    grow(s, at);
    s->last = nth(s, (guint)(at - s->first));
    s->from_ns = at * s->width_ns;
    s->span_ns = (uint64_t)s->width_ns;
    return s->last;
}

struct tw_interval_series tw_intervals_take(struct tw_intervals *s, gpointer *block)
{
    struct tw_interval_series view = { .interval_ns = s->width_ns,
                                       .first_ns = s->first * s->width_ns,
                                       .n = s->interval->len };

    *block = tw_array_free(s->interval, FALSE);
    view.interval = *block;
    *s = (struct tw_intervals) { 0 };
    return view;
}
