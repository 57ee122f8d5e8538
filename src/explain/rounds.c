/* SPDX-License-Identifier: MIT */
#include "explain/rounds.h"

#include <glib.h>

/* Linux's lower bound of the retransmission timeout (TCP_RTO_MIN); RFC 6298 says 1 s. */
#define RTO_MIN TCPWHY_MS(200)

/* A queue shows when the round trip grows by an eighth; on a LAN host latency is as long. */
#define QUEUE_SHARE 8
#define QUEUE_MIN   TCPWHY_US(300)

/* Fewer segments than this in flight do not fill a path: their round trip shows the host. */
#define FILLING_SEGMENTS 4

/* While a flight doubles, so does its rate; on a full path the rate stays, near the best seen. */
#define SAME_RATE 1.35
#define FULL_RATE 0.8

/* On a full path ACKs come, and segments go, all the time: no silence of half a round trip. */
#define SILENCE_SHARE 2

/* Around a send the path counts as busy at this part of its capacity, over a round trip. */
#define BUSY_RATE   0.75
#define BUSY_WINDOW TCPWHY_MS(5)

/* A flight is flat while it stays within two segments (design: a bytes-in-flight ceiling). */
#define FLAT_SEGMENTS 2

/* A sender that pauses for this part of a round trip with nothing to wait for lacks data. */
#define PAUSE_SHARE 4

static int64_t seq_of(const struct tw_log *log, const struct tw_send *s)
{
    return log->record[s->record].seq;
}

static tcpwhy_ns shortest_round_trip(const struct tw_vantage *v)
{
    return v->rtt_min_ns == TCPWHY_NS_UNKNOWN ? 0 : v->rtt_min_ns;
}

/* Time in which the sender had nothing to send: gaps that no ACK ended. */
static tcpwhy_ns pauses(const struct tw_sends *x, uint32_t first, uint32_t next, tcpwhy_ns rtt)
{
    tcpwhy_ns sum = 0;

    for (uint32_t i = first + 1; i <= next && i < x->n; i++) {
        const struct tw_send *s = &x->send[i];
        tcpwhy_ns gap = s->sent_ns - x->send[i - 1].sent_ns;
        tcpwhy_ns lag = s->moved_ns == TCPWHY_NS_UNKNOWN ? gap : s->sent_ns - s->moved_ns;

        if (gap > rtt / PAUSE_SHARE && lag > rtt / PAUSE_SHARE)
            sum += MIN(gap, lag);
    }
    return sum;
}

static struct tw_round measure(const struct tw_log *log, const struct tw_sends *x, uint32_t first,
                               tcpwhy_ns rtt)
{
    int64_t start = seq_of(log, &x->send[first]), bytes = 0;
    struct tw_round r = { .first = first, .window_bytes = INT64_MAX };
    uint32_t i = first;

    for (; i < x->n && (i == first || x->send[i].acked <= start); i++) {
        const struct tw_send *s = &x->send[i];

        r.flight_bytes = MAX(r.flight_bytes, s->flight_bytes);
        if (s->edge != INT64_MAX)
            r.window_bytes = MIN(r.window_bytes, s->edge - s->acked);
        r.repeats += s->repeat;
        bytes += log->record[s->record].len;
        if (i > first)
            r.max_gap_ns = MAX(r.max_gap_ns, s->sent_ns - x->send[i - 1].sent_ns);
    }
    r.last = i - 1;
    if (i < x->n)
        r.max_gap_ns = MAX(r.max_gap_ns, x->send[i].sent_ns - x->send[i - 1].sent_ns);
    r.duration_ns = x->send[MIN(i, x->n - 1)].sent_ns - x->send[first].sent_ns;

    tcpwhy_ns paused = pauses(x, first, i, rtt), busy = r.duration_ns - paused;

    r.starved = paused > rtt / PAUSE_SHARE;
    r.queue_ns = busy > rtt && i < x->n ? busy - rtt : 0;
    r.rate = busy > 0 ? (double)bytes * 1e9 / (double)MAX(busy, rtt) : 0;
    return r;
}

static void compare_neighbours(struct tw_round *r, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        r[i].growth = (double)r[i].flight_bytes / (double)MAX(r[i - 1].flight_bytes, 1);
        r[i - 1].next_growth = r[i].growth;
        r[i].loss_before = r[i - 1].loss_before || r[i - 1].repeats > 0;
    }
    for (uint32_t i = 0; i < n; i++)
        r[i].loss_before |= r[i].repeats > 0;
}

static void find_restarts(const struct tw_sends *x, struct tw_round *r, uint32_t n, tcpwhy_ns rtt)
{
    for (uint32_t i = 1; i < n; i++) {
        tcpwhy_ns silence =
            x->send[r[i].first].sent_ns - x->send[r[i].first - 1].sent_ns;

        r[i].idle_before = silence > rtt + RTO_MIN;
        r[i].restarted = r[i].idle_before ? r[i].flight_bytes * 2 <= r[i - 1].flight_bytes ||
                                                r[i].next_growth > SAME_RATE
                                          : r[i - 1].restarted && r[i].growth >= 1;
    }
}

static void find_flat_runs(struct tw_round *r, uint32_t n, uint32_t mss)
{
    for (uint32_t i = 0; i < n;) {
        int64_t low = r[i].flight_bytes, high = low;
        uint32_t end = i + 1;

        for (; end < n && r[end].repeats == 0; end++) {
            int64_t new_low = MIN(low, r[end].flight_bytes);
            int64_t new_high = MAX(high, r[end].flight_bytes);

            if (new_high - new_low > (int64_t)FLAT_SEGMENTS * mss)
                break;
            low = new_low;
            high = new_high;
        }
        for (uint32_t k = i; k < end; k++)
            r[k].flat_rounds = end - i;
        i = end;
    }
}

static double best_rate(const struct tw_rounds *rounds)
{
    double best = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        best = MAX(best, rounds->round[i].repeats ? 0 : rounds->round[i].rate);
    return best;
}

static void find_queues(struct tw_rounds *out, uint32_t mss, tcpwhy_ns rtt)
{
    double best = best_rate(out), before = 0;

    for (uint32_t i = 0; i < out->n; i++) {
        struct tw_round *r = &out->round[i];
        bool longer = r->queue_ns > MAX(rtt / QUEUE_SHARE, QUEUE_MIN);
        bool steady = r->rate >= best * FULL_RATE && (i == 0 || r->rate < before * SAME_RATE) &&
                      r->max_gap_ns < r->duration_ns / SILENCE_SHARE;

        r->standing_queue = longer && steady && !r->starved &&
                            r->flight_bytes >= (int64_t)FILLING_SEGMENTS * mss;
        before = MAX(before, r->rate);
        if (r->standing_queue && r->repeats == 0)
            out->capacity = MAX(out->capacity, r->rate);
    }
}

/* Bytes that left in a window around each send, against what the path can carry. */
static void find_busy(const struct tw_log *log, const struct tw_sends *x, struct tw_rounds *out,
                      tcpwhy_ns rtt)
{
    tcpwhy_ns half = MAX(rtt, BUSY_WINDOW) / 2;
    double bytes = 0, enough = out->capacity * BUSY_RATE * (double)(2 * half) / 1e9;
    uint32_t from = 0, to = 0;

    out->busy = g_new0(bool, x->n + 1);
    if (out->capacity <= 0)
        return;
    for (uint32_t i = 0; i < x->n; i++) {
        for (; to < x->n && x->send[to].sent_ns <= x->send[i].sent_ns + half; to++)
            bytes += log->record[x->send[to].record].len;
        for (; from < i && x->send[from].sent_ns < x->send[i].sent_ns - half; from++)
            bytes -= log->record[x->send[from].record].len;
        out->busy[i] = bytes >= enough;
    }
}

void tw_rounds_build(const struct tw_log *log, const struct tw_sends *x,
                     const struct tw_vantage *vantage, struct tw_rounds *out)
{
    GArray *rounds = g_array_new(FALSE, FALSE, sizeof(struct tw_round));
    tcpwhy_ns rtt = shortest_round_trip(vantage);

    *out = (struct tw_rounds){ .of_send = g_new(uint32_t, x->n + 1) };
    for (uint32_t first = 0; first < x->n;) {
        struct tw_round r = measure(log, x, first, rtt);

        for (uint32_t i = r.first; i <= r.last; i++)
            out->of_send[i] = rounds->len;
        g_array_append_val(rounds, r);
        first = r.last + 1;
    }
    out->n = rounds->len;
    out->round = (struct tw_round *)(void *)g_array_free(rounds, FALSE);
    compare_neighbours(out->round, out->n);
    find_restarts(x, out->round, out->n, rtt);
    find_flat_runs(out->round, out->n, x->mss_bytes);
    find_queues(out, x->mss_bytes, rtt);
    find_busy(log, x, out, rtt);
}

void tw_rounds_clear(struct tw_rounds *rounds)
{
    g_free(rounds->round);
    g_free(rounds->of_send);
    g_free(rounds->busy);
    *rounds = (struct tw_rounds){ 0 };
}
