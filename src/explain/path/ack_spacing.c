/* SPDX-License-Identifier: MIT */
/*
 * Away from the sender and without its clock, no RTT shows a queue, but arrivals do: the bottleneck
 * spreads segments to its own rate (packet-train dispersion, path_rate.c), and while a queue stands
 * they come one after another for longer than a flight lasts.
 */
#include "explain/path/ack_spacing.h"

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"

struct spread {
    const struct tw_rounds_view *view;
    const struct tw_send *send;
    uint32_t n;
    double rate; /* bytes per second at the bottleneck, by the arrivals */
    bool any;    /* round is found */
};

/* Rate of the train that ends with a send that has enough before it. */
static double rate_of_train(const struct spread *s, uint32_t last)
{
    tcpwhy_ns time = s->send[last].sent_ns - s->send[last - TW_TRAIN].sent_ns;
    double bytes = 0;

    for (uint32_t i = last + 1 - TW_TRAIN; i <= last; i++)
        bytes += s->send[i].len;
    return time > 0 ? bytes * 1e9 / (double)time : 0;
}

static double rate_of_most(const struct spread *s)
{
    int64_t *bits = tw_scratch_get(s->view->scratch, s->n / TW_TRAIN, sizeof *bits);
    uint32_t n = 0;
    double rate;

    for (uint32_t i = TW_TRAIN; i < s->n; i += TW_TRAIN)
        bits[n++] = tw_rate_bits(rate_of_train(s, i));
    rate = tw_select_rate(bits, n, (size_t)(n - 1) * TW_HIGH_PERCENT / 100);
    tw_scratch_return(s->view->scratch, bits);
    return rate;
}

/* Was the path silent before this send, or not busy since the first one? */
static bool is_idle(const struct spread *s, uint32_t first, uint32_t i)
{
    double segment_ns = s->view->sends->mss_bytes * 1e9 / s->rate;
    tcpwhy_ns silence_ns = s->send[i].sent_ns - s->send[i - 1].sent_ns;

    if (silence_ns > MAX(s->view->rtt_ns / TW_PAUSE_SHARE, (tcpwhy_ns)(segment_ns * TW_HALF_AGAIN)))
        return true;
    return i - first >= TW_TRAIN && rate_of_train(s, i) < TW_IDLE_RATE * s->rate;
}

/* Behind a full link a sender has more to send and fills its segments; writes that leave as they
 * come end in partial ones. */
static bool is_bulk(const struct spread *s, uint32_t first, uint32_t last)
{
    uint32_t partial = 0;

    for (uint32_t i = first; i <= last; i++)
        partial += !!(s->send[i].is & TW_SEND_PARTIAL);
    return partial <= (last - first) / TW_EXCEPTIONS_SHARE;
}

/* A flight that does not queue arrives within one RTT, followed by the next one. */
static bool is_full(const struct spread *s, uint32_t first, uint32_t last)
{
    return last - first >= TW_TRAIN &&
           s->send[last].sent_ns - s->send[first].sent_ns >= s->view->rtt_ns &&
           is_bulk(s, first, last);
}

/* Fill the rounds within a stretch of sends without a silence. @return the first round after it */
static uint32_t fill(struct spread *s, uint32_t round, uint32_t first, uint32_t last)
{
    struct tw_rounds *rounds = s->view->rounds;

    while (round < rounds->n && rounds->round[round].first < first)
        round++;
    for (; round < rounds->n && rounds->round[round].last <= last; round++) {
        struct tw_round *r = &rounds->round[round];

        r->queue.spread = !r->queue.standing && !r->window_full &&
                          r->flight_bytes >= TW_ACKED_SEGMENTS * (int64_t)s->view->sends->mss_bytes;
        r->queue.standing |= r->queue.spread;
        s->any |= r->queue.spread;
    }
    return round;
}

/* Did flights that left the path idle arrive at its rate as well? A sender that paces, or writes at
 * a rate, has none. */
static bool is_of_path(const struct spread *s)
{
    const struct tw_rounds *rounds = s->view->rounds;
    uint32_t trains = 0;

    for (const struct tw_round *r = rounds->round, *end = r + rounds->n; r < end; r++)
        for (uint32_t i = r->first + TW_TRAIN;
             !r->queue.spread && r->rate < TW_IDLE_RATE * s->rate && i <= r->last; i += TW_TRAIN)
            trains += rate_of_train(s, i) >= TW_SAME_RATE * s->rate;
    return trains >= TW_OFTEN;
}

void tw_ack_spacing_find(const struct tw_rounds_view *v)
{
    struct spread s = { .view = v, .send = v->sends->send, .n = v->sends->n };
    uint32_t round = 0;

    if (v->sends->queues_seen || s.n < 3 * TW_TRAIN)
        return;
    s.rate = rate_of_most(&s);
    if (s.rate <= 0)
        return;
    for (uint32_t i = 1, first = 0; i <= s.n; i++) {
        if (i < s.n && !is_idle(&s, first, i))
            continue;
        if (is_full(&s, first, i - 1))
            round = fill(&s, round, first, i - 1);
        first = i;
    }
    if (!s.any)
        return;
    v->rounds->spread_by_path = is_of_path(&s);
    if (v->rounds->capacity <= 0)
        v->rounds->capacity = s.rate;
}
