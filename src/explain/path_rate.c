/* SPDX-License-Identifier: MIT */
/*
 * The bottleneck spreads the segments of a burst to its own rate (packet-train dispersion:
 * Dovrolis, Ramanathan, Moore: "What do packet dispersion techniques measure?", 2001). The median
 * over many trains keeps compressed ACKs and single delays out.
 */
#include "explain/path_rate.h"

#include <stdlib.h>

#include <glib.h>

/* Segments in a train: enough to average out coarse clocks, fewer than an initial window. */
#define TRAIN 6

/* A silence of this part of a round trip ends a burst. */
#define SILENCE_SHARE 8

#define QUANTILE 80

struct train {
    tcpwhy_ns at[TRAIN];
    int64_t end[TRAIN];
    unsigned n;
};

static void restart(struct train *t)
{
    t->n = 0;
}

/* Add the next step of a train; a full one gives its rate and moves on by one step. */
static void step(struct train *t, tcpwhy_ns at, int64_t end, tcpwhy_ns silence, GArray *rates)
{
    if (t->n && (at - t->at[t->n - 1] > silence || end <= t->end[t->n - 1]))
        restart(t);
    t->at[t->n] = at;
    t->end[t->n++] = end;
    if (t->n < TRAIN)
        return;

    tcpwhy_ns time = t->at[TRAIN - 1] - t->at[0];

    if (time > 0) {
        double rate = (double)(t->end[TRAIN - 1] - t->end[0]) * 1e9 / (double)time;

        g_array_append_val(rates, rate);
    }
    restart(t);
}

static int by_rate(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double tw_path_rate(const struct tw_log *log, const struct tw_vantage *v, enum tcpwhy_side from)
{
    bool at_sender = v->to_side_ns[from] == 0;
    tcpwhy_ns silence = MAX(v->rtt_min_ns, 0) / SILENCE_SHARE;
    GArray *rates = g_array_new(FALSE, FALSE, sizeof(double));
    struct train train = { .n = 0 };
    double rate;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];
        bool own = r->from == from;

        if (at_sender && !own && (r->flags & TW_ACK) && !r->n_sack)
            step(&train, r->time_ns, r->ack, silence, rates);
        else if (!at_sender && own && r->frame_class == TCPWHY_CLASS_DATA)
            step(&train, r->time_ns, tw_record_end(r), silence, rates);
    }
    g_array_sort(rates, by_rate);
    rate = rates->len ? g_array_index(rates, double, rates->len *QUANTILE / 100) : 0;
    g_array_free(rates, TRUE);
    return rate;
}
