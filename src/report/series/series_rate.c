/* SPDX-License-Identifier: MIT */
/*
 * Bits a second over intervals: payload as it was sent, repairs included, and bytes as the receiver
 * acknowledged them for the first time. Counted at the vantage, from the beginning of what is
 * shown, so that whole seconds are those of a load generator's report.
 */
#include "base/memory.h"
#include "base/ns.h"
#include "report/series/series_kind.h"

#define NS_PER_S        1000000000.0
#define BITS            8
#define WANTED_BINS     200
#define MAX_BINS        100000
#define MIN_INTERVAL_NS TCPWHY_US(10)

static tcpwhy_ns interval_of(const struct tw_series *s, tcpwhy_ns asked_ns)
{
    tcpwhy_ns shown_ns = MAX(s->to_ns - s->from_ns, 0);

    if (asked_ns <= 0)
        return tw_ns_step(shown_ns / WANTED_BINS, MIN_INTERVAL_NS);
    return MAX(asked_ns, tw_ns_step(shown_ns / MAX_BINS, MIN_INTERVAL_NS));
}

struct bins {
    const struct tw_series *series;
    guint n;
    uint64_t *sent, *acked; /* bytes in each */
};

static void count(const struct bins *b, tcpwhy_ns at_ns, uint64_t bytes, uint64_t *bin)
{
    const struct tw_series *s = b->series;

    if (at_ns >= s->from_ns && at_ns <= s->to_ns)
        bin[MIN((guint)((at_ns - s->from_ns) / s->interval_ns), b->n - 1)] += bytes;
}

static void fill(const struct bins *b, const struct tw_log *log)
{
    int64_t acked = -1;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == b->series->from) {
            count(b, r->time_ns, r->len, b->sent);
        } else if (r->flags & TW_ACK) {
            if (acked >= 0 && r->ack > acked)
                count(b, r->time_ns, (uint64_t)(r->ack - acked), b->acked);
            acked = MAX(acked, r->ack);
        }
    }
}

static void add_rates(const struct bins *b, struct tw_curve *curve, const uint64_t *bin)
{
    const struct tw_series *s = b->series;
    int64_t rate = 0;

    for (guint i = 0; i < b->n; i++) {
        tcpwhy_ns from_ns = s->from_ns + (tcpwhy_ns)i * s->interval_ns;
        tcpwhy_ns to_ns = i + 1 < b->n ? from_ns + s->interval_ns : MAX(s->to_ns, from_ns + 1);

        rate = (int64_t)((double)bin[i] * BITS * NS_PER_S / (double)(to_ns - from_ns));
        tw_curve_add(curve, from_ns, rate, rate, 0);
    }
    /* The last rate holds to the end. */
    tw_curve_add(curve, s->to_ns, rate, rate, 0);
}

void tw_series_throughput(const struct tw_series_scene *scene)
{
    struct tw_series *s = scene->series;
    struct tw_curve *sent = tw_series_curve(s, TW_ROLE_SENT, TW_MARK_STEP);
    struct tw_curve *acked = tw_series_curve(s, TW_ROLE_ACKED, TW_MARK_STEP);
    struct bins b = { .series = s };

    if (s->to_ns <= s->from_ns)
        return;
    s->interval_ns = interval_of(s, scene->options->interval_ns);
    /* A rest of less than half an interval belongs to the one before: alone it would leap. */
    b.n = MAX((guint)((s->to_ns - s->from_ns + s->interval_ns / 2) / s->interval_ns), 1);
    b.sent = tw_new0(uint64_t, b.n);
    b.acked = tw_new0(uint64_t, b.n);
    fill(&b, scene->log);
    add_rates(&b, sent, b.sent);
    add_rates(&b, acked, b.acked);
    tw_free(b.sent);
    tw_free(b.acked);
}
