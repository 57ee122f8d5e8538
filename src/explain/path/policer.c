/* SPDX-License-Identifier: MIT */
#include "explain/path/policer.h"

#include <stdlib.h>

#include <glib.h>

#include "explain/thresholds.h"

/* Intervals from one drop to the next. */
struct windows {
    const struct tw_sender_timeline *sends;
    tcpwhy_ns least_ns; /* a shorter one continues to the next drop ... */
    uint32_t shorter;   /* ... as many as this did */
    double *rate;
    uint32_t n;
    int64_t least_bytes, most_bytes; /* bytes that passed in one of them */
    uint32_t send;                   /* the first not counted yet ... */
    int64_t bytes;                   /* ... and new bytes before it, in this window */
};

static int by_rate(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Losses are repaired in the same window or the next: new bytes are what passed. */
static void count_until(struct windows *w, uint32_t record)
{
    const struct tw_sender_timeline *x = w->sends;

    for (; w->send < x->n && x->send[w->send].record < record; w->send++)
        if (x->send[w->send].is & TW_SEND_FRESH)
            w->bytes += x->send[w->send].len;
}

static bool is_drop(const struct tw_recovery_episode *e)
{
    return !e->arrived && !e->first && !e->black_hole;
}

static void cut(struct windows *w, const struct tw_recovery *recovery)
{
    const struct tw_record *record = w->sends->record, *from = NULL;

    for (uint32_t i = 0; i < recovery->n; i++) {
        const struct tw_recovery_episode *e = &recovery->episode[i];
        const struct tw_record *drop = &record[e->first_record];
        tcpwhy_ns took_ns = from ? drop->time_ns - from->time_ns : 0;

        if (!is_drop(e))
            continue;
        if (from && took_ns < w->least_ns) {
            w->shorter++;
            continue;
        }
        count_until(w, e->first_record);
        if (from && w->bytes >= TW_MANY * (int64_t)w->sends->mss_bytes) {
            w->rate[w->n++] = (double)w->bytes * 1e9 / (double)took_ns;
            w->least_bytes = MIN(w->least_bytes, w->bytes);
            w->most_bytes = MAX(w->most_bytes, w->bytes);
        }
        w->bytes = 0;
        from = drop;
    }
}

/* The rate of most windows; 0: they differ. */
static double common_rate(struct windows *w)
{
    double median;
    uint32_t alike = 0;

    if (w->n < TW_MANY)
        return 0;
    qsort(w->rate, w->n, sizeof *w->rate, by_rate);
    median = w->rate[w->n / 2];
    for (uint32_t i = 0; i < w->n; i++)
        alike += w->rate[i] >= median * TW_SAME_RATE && w->rate[i] <= median / TW_SAME_RATE;
    return w->n - alike <= w->n / TW_QUARTER ? median : 0;
}

/* A queue stood in more than a few rounds. */
static bool has_queued(const struct tw_rounds *rounds, tcpwhy_ns rtt_ns)
{
    uint32_t queues = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        queues += rounds->round[i].queue_ns > tw_queue_shows_ns(rtt_ns);
    return queues > rounds->n / TW_QUARTER;
}

static bool is_free(const struct tw_round *r)
{
    return r->loss_before && !r->starved && r->repeats == 0;
}

/* The sender has a rate of its own: its flight does not vary, or is at its maximum in every other
 * round, as with a buffer or a receive window. */
static bool is_senders(const struct tw_rounds *rounds)
{
    int64_t least = INT64_MAX, most = 0;
    uint32_t n = 0, top = 0;

    for (uint32_t i = 0; i < rounds->n; i++) {
        const struct tw_round *r = &rounds->round[i];

        if (!is_free(r))
            continue;
        least = MIN(least, r->flight_bytes);
        most = MAX(most, r->flight_bytes);
        n++;
    }
    for (uint32_t i = 0; i < rounds->n; i++)
        top += is_free(&rounds->round[i]) &&
               (double)rounds->round[i].flight_bytes >= TW_SAME_RATE * (double)most;
    return 2 * top > n || (double)most < TW_HALF_AGAIN * (double)least;
}

double tw_policer_rate(const struct tw_sender_timeline *x, const struct tw_recovery *recovery,
                       const struct tw_rounds *rounds, const struct tw_vantage *v,
                       struct tw_scratch *scratch)
{
    struct windows w = { .sends = x,
                         .least_ns = TW_FEWEST * tw_min_rtt_ns(v),
                         .least_bytes = INT64_MAX };
    double rate;

    if (recovery->n <= TW_MANY || rounds->n == 0 || !x->queues_seen ||
        has_queued(rounds, tw_min_rtt_ns(v)) || is_senders(rounds))
        return 0;
    w.rate = tw_scratch_get(scratch, recovery->n, sizeof *w.rate);
    cut(&w, recovery);
    /* regular losses are no policer's, nor are random ones: over many of them chance has a steady
     * rate, too */
    rate = w.most_bytes > TW_FACTOR * w.least_bytes && w.shorter < w.n ? common_rate(&w) : 0;
    tw_scratch_return(scratch, w.rate);
    return rate;
}
