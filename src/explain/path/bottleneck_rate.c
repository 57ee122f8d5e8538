/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck spreads a burst to its own rate (packet-train dispersion: Dovrolis, Ramanathan,
 * Moore: "What do packet dispersion techniques measure?", 2001). The median over many trains
 * excludes compressed ACKs and single delays.
 */
#include "explain/path/bottleneck_rate.h"

#include <stdlib.h>

#include "base/select.h"
#include "explain/thresholds.h"

struct rates {
    int64_t *bits; /* tw_rate_bits() */
    uint32_t n, capacity;
};

struct train {
    tcpwhy_ns at[TW_TRAIN];
    int64_t end[TW_TRAIN];
    unsigned n;
};

static void restart(struct train *t)
{
    t->n = 0;
}

/* Add a step to a train; a full train gives its rate and moves on by one step. */
static void step(struct train *t, tcpwhy_ns at, int64_t end, tcpwhy_ns silence,
                 struct tw_scratch *scratch, struct rates *rates)
{
    if (t->n && (at - t->at[t->n - 1] > silence || end <= t->end[t->n - 1]))
        restart(t);
    t->at[t->n] = at;
    t->end[t->n++] = end;
    if (t->n < TW_TRAIN)
        return;

    tcpwhy_ns time = t->at[TW_TRAIN - 1] - t->at[0];

    if (time > 0) {
        double rate = (double)(t->end[TW_TRAIN - 1] - t->end[0]) * 1e9 / (double)time;

        rates->bits =
            tw_scratch_grow(scratch, rates->bits, rates->n, &rates->capacity, sizeof *rates->bits);
        rates->bits[rates->n++] = tw_rate_bits(rate);
    }
    restart(t);
}

/* An ACK of data in order. */
static bool tells_acked(const struct tw_record *r)
{
    return (r->flags & TW_ACK) && !r->n_sack;
}

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static double rate_of(int64_t bits)
{
    double rate;

    memcpy(&rate, &bits, sizeof rate);
    return rate;
}

/* The middle of the largest group of equal rates, if that is a third of all (measured over links of
 * 12 and 25 MB/s: 0.3 to 0.7): ACKs of several segments, and bursts that nothing spread, give any
 * rate. */
static double agreed(const struct rates *r)
{
    uint32_t first = 0, most = 0, at = 0;

    qsort(r->bits, r->n, sizeof *r->bits, by_value);
    for (uint32_t i = 0; i < r->n; i++) {
        while (rate_of(r->bits[first]) < TW_SAME_RATE * rate_of(r->bits[i]))
            first++;
        if (i - first + 1 > most) {
            most = i - first + 1;
            at = first + most / 2;
        }
    }
    return most >= TW_TRAIN && most * TW_OFTEN >= r->n ? rate_of(r->bits[at]) : 0;
}

double tw_bottleneck_rate(const struct tw_context *context, enum tcpwhy_side from, double *shown)
{
    const struct tw_log *log = context->log;
    const struct tw_vantage *v = &context->vantage;
    bool at_sender = v->to_side_ns[from] == 0;
    const uint8_t by = (uint8_t)(at_sender ? !from : from); /* at the sender, ACKs show the path */
    tcpwhy_ns silence = tw_min_rtt_ns(v) / TW_SHORT_SHARE;
    struct rates rates = { 0 };
    struct train train = { .n = 0 };

    for (const struct tw_record *r = log->record, *end = r + log->n; r < end; r++) {
        if (r->from == by && (at_sender ? tells_acked(r) : r->frame_class == TCPWHY_CLASS_DATA))
            step(&train, r->time_ns, at_sender ? r->ack : tw_record_end(r), silence,
                 context->scratch, &rates);
    }
    *shown = rates.n ? agreed(&rates) : 0;
    return rates.n ? tw_select_rate(rates.bits, rates.n, (size_t)rates.n * TW_HIGH_PERCENT / 100)
                   : 0;
}
