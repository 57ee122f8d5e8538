/* SPDX-License-Identifier: MIT */
#include "explain/model/send_clock.h"

#include <glib.h>

/* Clocks that are fine enough (RFC 7323, 5.4, allows 1 ms to 1 s): Linux's and BSD's, HZ=250,
 * HZ=100. */
static const tcpwhy_ns ticks[] = { TCPWHY_MS(1), TCPWHY_MS(4), TCPWHY_MS(10) };

/* A count may differ from elapsed time by this: the queues of the first and the last segment ... */
#define DIFFERS_NS TCPWHY_MS(500)
/* ... and clock error: crystals keep 500 ppm. */
#define SKEW_MOST 500e-6

/* A skew does not amount to a tick in less time. */
#define SKEW_SHOWS_NS TCPWHY_S(10)

/* A segment that leaves at once is late by a tick or two; this many, this often, are a queue. */
#define LATE_TICKS  3
#define OFTEN_SHARE 4

static bool is_stamped(const struct tw_record *r, enum tcpwhy_side from)
{
    return r->from == from && (r->options & TW_OPT_TIMESTAMP) && !(r->flags & TW_RST);
}

static tcpwhy_ns find_tick(const struct tw_log *log, enum tcpwhy_side from, uint32_t *first_tsval)
{
    const struct tw_record *first = NULL, *last = NULL;
    tcpwhy_ns passed_ns;
    int64_t passed;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (!is_stamped(r, from))
            continue;
        first = first ? first : r;
        last = r;
    }
    passed = first ? (int32_t)(last->tsval - first->tsval) : 0;
    if (passed <= 0)
        return 0;
    *first_tsval = first->tsval;
    passed_ns = last->time_ns - first->time_ns;
    for (size_t i = 0; i < G_N_ELEMENTS(ticks); i++)
        if (ABS(passed_ns - passed * ticks[i]) <=
            MIN(DIFFERS_NS, passed_ns / 2 + ticks[i]) + (tcpwhy_ns)(SKEW_MOST * (double)passed_ns))
            return ticks[i];
    return 0;
}

static tcpwhy_ns ahead_ns(const struct tw_send_clock *c, const struct tw_record *r)
{
    return r->time_ns - (int64_t)(int32_t)(r->tsval - c->first) * c->tick_ns;
}

/* The minimum in a part of the log. */
static bool find_least(const struct tw_log *log, enum tcpwhy_side from,
                       const struct tw_send_clock *c, uint32_t begin, uint32_t end,
                       tcpwhy_ns *least_ns, tcpwhy_ns *at_ns)
{
    bool any = false;

    for (uint32_t i = begin; i < end; i++) {
        const struct tw_record *r = &log->record[i];

        if (!is_stamped(r, from) || (any && ahead_ns(c, r) >= *least_ns))
            continue;
        *least_ns = ahead_ns(c, r);
        *at_ns = r->time_ns;
        any = true;
    }
    return any;
}

tcpwhy_ns tw_send_clock_late_ns(const struct tw_send_clock *c, const struct tw_record *r)
{
    tcpwhy_ns late_ns;

    if (c->tick_ns == 0 || !(r->options & TW_OPT_TIMESTAMP))
        return 0;
    late_ns =
        ahead_ns(c, r) - c->least_ns - (tcpwhy_ns)(c->skew * (double)(r->time_ns - c->least_at_ns));
    return late_ns > c->tick_ns ? late_ns - c->tick_ns / 2 : 0;
}

static bool is_often_late(const struct tw_log *log, enum tcpwhy_side from,
                          const struct tw_send_clock *c)
{
    uint32_t n = 0, late = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (!is_stamped(r, from) || r->len == 0)
            continue;
        n++;
        late += tw_send_clock_late_ns(c, r) > LATE_TICKS * c->tick_ns;
    }
    return late > n / OFTEN_SHARE;
}

static void fit_line(const struct tw_log *log, enum tcpwhy_side from, struct tw_send_clock *out)
{
    tcpwhy_ns later_ns = 0, later_at_ns = 0;
    uint32_t middle = log->n / 2;

    if (!find_least(log, from, out, 0, middle, &out->least_ns, &out->least_at_ns) ||
        !find_least(log, from, out, middle, log->n, &later_ns, &later_at_ns))
        return;
    if (later_at_ns - out->least_at_ns >= SKEW_SHOWS_NS)
        out->skew =
            CLAMP((double)(later_ns - out->least_ns) / (double)(later_at_ns - out->least_at_ns),
                  -SKEW_MOST, SKEW_MOST);
    else if (later_ns < out->least_ns)
        out->least_ns = later_ns;
}

void tw_send_clock_read(const struct tw_log *log, enum tcpwhy_side from, struct tw_send_clock *out)
{
    *out = (struct tw_send_clock) { 0 };
    out->tick_ns = log->clock_set ? 0 : find_tick(log, from, &out->first);
    if (out->tick_ns == 0 ||
        !find_least(log, from, out, 0, log->n, &out->least_ns, &out->least_at_ns))
        return;
    fit_line(log, from, out);
    out->often_late = is_often_late(log, from, out);
}
