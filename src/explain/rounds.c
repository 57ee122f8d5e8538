/* SPDX-License-Identifier: MIT */
#include "explain/rounds.h"

#include <stdlib.h>

#include <glib.h>

/* Linux's lower bound of the retransmission timeout (TCP_RTO_MIN); RFC 6298 says 1 s. */
#define RTO_MIN TCPWHY_MS(200)

/* A queue shows when the round trip grows by an eighth; on a LAN host latency is as long. */
#define QUEUE_SHARE 8
#define QUEUE_MIN   TCPWHY_US(300)

/* Fewer segments than this in flight do not fill a path: their round trip shows the host. */
#define FILLING_SEGMENTS 4

/* On a full path more in flight brings no more rate: the rate stays near what it was before. */
#define FULL_RATE    0.8
#define SAME_RATE    0.9
#define QUEUES_SHARE 4

/* After a silence a flight that grows by this a round trip is in slow start again. */
#define DOUBLING 1.35

/* On a full path ACKs come, and segments go, all the time: no silence of half a round trip. */
#define SILENCE_SHARE 2

/* Around a send the path counts as busy at this part of its capacity, over a round trip. */
#define BUSY_RATE   0.75
#define BUSY_WINDOW TCPWHY_MS(5)

/* A flight is flat while it stays within two segments. Away from the sender its ACKs are placed by
 * echoed timestamps of a millisecond, and a burst is acknowledged in less: twice as much, or a
 * quarter of the flight. */
#define FLAT_SEGMENTS     2
#define FLAT_SHARE_REMOTE 4

/* A sender that pauses for this part of a round trip with nothing to wait for lacks data. */
#define PAUSE_SHARE 4

/* Congestion avoidance adds a segment or two to the flight of a round trip: from one flat run to
 * the next less than slow start's doubling. */
#define SMALL_STEP 1.6

/* Fewer bursts or rounds than this show no habit. */
#define WRITTEN_BURSTS 5
#define CLOCK_ROUNDS   5

/* Segments further apart than this are not of one burst. */
#define GAP_NS    TCPWHY_US(100)
#define GAP_SHARE 64

/* The kernel sends in the softirq of an ACK, or wakes the writer: within this. A lag that varies by
 * more than this factor follows something else than the ACKs. */
#define KERNEL_NS  TCPWHY_US(100)
#define LAG_SPREAD 2

/* No kernel takes this long; away from the sender the path's jitter comes on top. */
#define LATE_NS          TCPWHY_US(500)
#define REMOTE_LAG_NS    TCPWHY_MS(1)
#define REMOTE_LAG_SHARE 16

/* Segments without a silence of this part of a round trip are spread evenly over it. */
#define EVEN_SHARE 4

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

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

static tcpwhy_ns median_round_trip(const struct tw_sends *x, uint32_t first, uint32_t next)
{
    tcpwhy_ns *rtt = g_new(tcpwhy_ns, next - first + 1), median;
    uint32_t n = 0;

    for (uint32_t i = first; i < next; i++)
        if (x->send[i].rtt_ns != TCPWHY_NS_UNKNOWN)
            rtt[n++] = x->send[i].rtt_ns;
    qsort(rtt, n, sizeof *rtt, by_value);
    median = n ? rtt[n / 2] : 0;
    g_free(rtt);
    return median;
}

/*
 * What passed the path in a round: at the sender what was acknowledged, elsewhere what arrived.
 */
static int64_t passed(const struct tw_log *log, const struct tw_sends *x, uint32_t first,
                      uint32_t next, bool remote)
{
    int64_t bytes = 0;

    if (!remote)
        return x->send[MIN(next, x->n - 1)].acked - x->send[first].acked;
    for (uint32_t i = first; i < next; i++)
        bytes += log->record[x->send[i].record].len;
    return bytes;
}

/* No room for one more segment, and that is not because the window is smaller than two. */
static bool reaches_edge(const struct tw_send *s, int64_t end, uint32_t mss)
{
    return s->edge != INT64_MAX && s->edge - end < (int64_t)mss &&
           s->flight_bytes * 2 > s->edge - s->acked;
}

static struct tw_round measure(const struct tw_log *log, const struct tw_sends *x, uint32_t first,
                               tcpwhy_ns rtt, bool remote)
{
    int64_t start = seq_of(log, &x->send[first]);
    struct tw_round r = { .first = first, .window_bytes = INT64_MAX };
    uint32_t i = first;

    for (; i < x->n && (i == first || x->send[i].acked <= start); i++) {
        const struct tw_send *s = &x->send[i];

        r.flight_bytes = MAX(r.flight_bytes, s->flight_bytes);
        if (s->edge != INT64_MAX)
            r.window_bytes = MIN(r.window_bytes, s->edge - s->acked);
        r.window_full |= reaches_edge(s, tw_record_end(&log->record[s->record]), x->mss_bytes);
        r.repeats += s->repeat && !s->spurious;
        if (i > first)
            r.max_gap_ns = MAX(r.max_gap_ns, s->sent_ns - x->send[i - 1].sent_ns);
    }
    r.last = i - 1;
    if (i < x->n)
        r.max_gap_ns = MAX(r.max_gap_ns, x->send[i].sent_ns - x->send[i - 1].sent_ns);
    r.duration_ns = x->send[MIN(i, x->n - 1)].sent_ns - x->send[first].sent_ns;

    int64_t bytes = passed(log, x, first, i, remote && !x->queues_seen);
    tcpwhy_ns usual = x->queues_seen ? median_round_trip(x, first, i) : 0;
    tcpwhy_ns paused = pauses(x, first, i, MAX(rtt, usual)), busy = r.duration_ns - paused;

    r.starved = paused > MAX(rtt, usual) / PAUSE_SHARE;
    if (usual)
        r.queue_ns = MAX(usual - rtt, 0);
    else
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
        tcpwhy_ns silence = x->send[r[i].first].sent_ns - x->send[r[i].first - 1].sent_ns;

        r[i].idle_before = silence > rtt + RTO_MIN;
        r[i].restarted = r[i].idle_before ? r[i].flight_bytes * 2 <= r[i - 1].flight_bytes ||
                                                r[i].next_growth > DOUBLING
                                          : r[i - 1].restarted && r[i].growth >= 1;
    }
}

static tcpwhy_ns quantile(tcpwhy_ns *values, uint32_t n, unsigned percent)
{
    qsort(values, n, sizeof *values, by_value);
    return values[(size_t)(n - 1) * percent / 100];
}

/* How the bursts of some rounds begin and end. A burst begins after a gap that no link makes. */
struct habit {
    uint32_t bursts, partial_ends;
    tcpwhy_ns lag_low_ns, lag_median_ns; /* from the newest ACK to the burst */
};

static struct habit habit_of(const struct tw_sends *x, uint32_t first, uint32_t last, tcpwhy_ns rtt)
{
    tcpwhy_ns *lag = g_new(tcpwhy_ns, last - first + 1);
    struct habit h = { 0 };

    for (uint32_t i = first + 1; i <= last; i++) {
        const struct tw_send *s = &x->send[i];

        if (s->sent_ns - x->send[i - 1].sent_ns <= MAX(GAP_NS, rtt / GAP_SHARE) ||
            s->moved_ns == TCPWHY_NS_UNKNOWN)
            continue;
        lag[h.bursts++] = s->sent_ns - s->moved_ns;
        h.partial_ends += x->send[i - 1].partial;
    }
    if (h.bursts) {
        h.lag_low_ns = quantile(lag, h.bursts, 10);
        h.lag_median_ns = quantile(lag, h.bursts, 50);
    }
    g_free(lag);
    return h;
}

enum measure { GAP, QUEUE };

static tcpwhy_ns median_round(const struct tw_round *r, uint32_t n, enum measure what)
{
    tcpwhy_ns *values = g_new(tcpwhy_ns, n), median;

    for (uint32_t i = 0; i < n; i++)
        values[i] = what == GAP     ? r[i].max_gap_ns
                    : what == QUEUE ? r[i].queue_ns
                                    : r[i].duration_ns;
    median = quantile(values, n, 50);
    g_free(values);
    return median;
}

/*
 * A sender that waits for room goes on the moment an ACK makes it, with full segments. One that
 * keeps to a clock of its own (an application's writes, a pacing rate) leaves at any time after
 * the newest ACK; each write ends in a partial segment, a pace spreads the segments evenly. Away
 * from the sender the moment is not seen, only the pattern.
 */
static bool keeps_own_clock(const struct tw_sends *x, const struct tw_round *r, uint32_t n,
                            tcpwhy_ns rtt, bool remote)
{
    struct habit h = habit_of(x, r[0].first, r[n - 1].last, rtt);
    bool writes = h.partial_ends * 3 >= h.bursts * 2;
    bool even = median_round(r, n, GAP) < rtt / EVEN_SHARE;
    bool spread = h.lag_low_ns * LAG_SPREAD < h.lag_median_ns;

    if (h.bursts < WRITTEN_BURSTS || median_round(r, n, QUEUE) > MAX(rtt / QUEUE_SHARE, QUEUE_MIN))
        return false;
    if (remote)
        return writes || (even && !r->loss_before) ||
               h.lag_median_ns > MAX(REMOTE_LAG_NS, rtt / REMOTE_LAG_SHARE);
    return h.lag_median_ns > KERNEL_NS && (writes || even || spread || h.lag_median_ns > LATE_NS);
}

static int64_t flat_bytes(const struct tw_sends *x, bool remote, int64_t flight)
{
    int64_t bytes = (int64_t)FLAT_SEGMENTS * x->mss_bytes;

    return remote ? MAX(2 * bytes, flight / FLAT_SHARE_REMOTE) : bytes;
}

static bool small_step_up(const struct tw_round *from, const struct tw_round *to, uint32_t mss)
{
    return to->repeats == 0 && to->flight_bytes >= from->flight_bytes + (int64_t)mss &&
           (double)to->flight_bytes <= (double)from->flight_bytes * SMALL_STEP;
}

/* Runs that climb by small steps are growth: a ceiling is not left upwards. */
static void find_climbs(struct tw_round *r, uint32_t n, uint32_t mss)
{
    for (uint32_t i = 0; i < n; i += r[i].flat_rounds) {
        uint32_t next = i + r[i].flat_rounds, after = next < n ? next + r[next].flat_rounds : n;

        if (after >= n || !small_step_up(&r[i], &r[next], mss) ||
            !small_step_up(&r[next], &r[after], mss))
            continue;
        for (uint32_t k = i; k < after; k++)
            r[k].climbing = true;
    }
}

/* Stretches without a loss, told by their habit; slow start at their beginning left out. */
static void find_own_clocks(const struct tw_sends *x, struct tw_round *r, uint32_t n, tcpwhy_ns rtt,
                            bool remote)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i + 1;

        while (end < n && r[end].repeats == 0 && !r[end].standing_queue)
            end++;
        while (i < end && r[i].next_growth >= DOUBLING)
            i++;
        if (end >= i + CLOCK_ROUNDS && keeps_own_clock(x, &r[i], end - i, rtt, remote))
            for (uint32_t k = i; k < end; k++)
                r[k].own_clock = true;
        i = end;
    }
}

static void find_flat_runs(const struct tw_sends *x, struct tw_round *r, uint32_t n, bool remote)
{
    for (uint32_t i = 0; i < n;) {
        int64_t low = r[i].flight_bytes, high = low;
        uint32_t end = i + 1;

        for (; end < n && r[end].repeats == 0; end++) {
            int64_t new_low = MIN(low, r[end].flight_bytes);
            int64_t new_high = MAX(high, r[end].flight_bytes);

            if (new_high - new_low > flat_bytes(x, remote, new_high))
                break;
            low = new_low;
            high = new_high;
        }

        for (uint32_t k = i; k < end; k++) {
            r[k].flat_rounds = end - i;
        }
        i = end;
    }
}

static bool is_longer(const struct tw_round *r, uint32_t mss, tcpwhy_ns rtt)
{
    return r->queue_ns > MAX(rtt / QUEUE_SHARE, QUEUE_MIN) && !r->starved && !r->window_full &&
           r->flight_bytes >= (int64_t)FILLING_SEGMENTS * mss &&
           r->max_gap_ns < r->duration_ns / SILENCE_SHARE;
}

static int by_rate(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median rate of the rounds that took longer than a round trip, with no loss in or before
 * them (cumulative ACKs jump after a repair). */
static double plateau(const struct tw_rounds *rounds, uint32_t mss, tcpwhy_ns rtt)
{
    double *rate = g_new(double, rounds->n + 1), median;
    uint32_t n = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        if (is_longer(&rounds->round[i], mss, rtt) && rounds->round[i].repeats == 0 &&
            (i == 0 || rounds->round[i - 1].repeats == 0))
            rate[n++] = rounds->round[i].rate;
    qsort(rate, n, sizeof *rate, by_rate);
    median = n ? rate[n / 2] : 0;
    g_free(rate);
    return median;
}

/* Over three rounds: the edges of one are not sharp away from the sender. */
static double smooth_rate(const struct tw_rounds *rounds, uint32_t i)
{
    uint32_t from = i ? i - 1 : 0, to = MIN(i + 2, rounds->n);
    double bytes = 0, time = 0;

    for (uint32_t k = from; k < to; k++) {
        bytes += rounds->round[k].rate * (double)rounds->round[k].duration_ns;
        time += (double)rounds->round[k].duration_ns;
    }
    return time > 0 ? bytes / time : 0;
}

/* A flight that stays the same, with a queue in a good part of its rounds, fills the path in all.
 */
static void fill_flat_runs(struct tw_round *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += r[i].flat_rounds) {
        uint32_t queues = 0;

        for (uint32_t k = i; k < i + r[i].flat_rounds; k++)
            queues += r[k].standing_queue;
        for (uint32_t k = i; queues * QUEUES_SHARE >= r[i].flat_rounds && k < i + r[i].flat_rounds;
             k++)
            r[k].standing_queue |=
                !r[k].window_full && r[k].max_gap_ns < r[k].duration_ns / SILENCE_SHARE;
    }
}

static void find_queues(struct tw_rounds *out, uint32_t mss, tcpwhy_ns rtt)
{
    uint32_t queues = 0;

    out->capacity = plateau(out, mss, rtt);
    for (uint32_t i = 0; i < out->n; i++) {
        struct tw_round *r = &out->round[i];

        r->standing_queue =
            out->capacity > 0 && is_longer(r, mss, rtt) && r->rate >= out->capacity * FULL_RATE;
        queues += r->standing_queue;
    }
    /* Where the path was found full in a good part of the rounds, it is in all of the same rate. */
    for (uint32_t i = 0; queues * QUEUES_SHARE >= out->n && i < out->n; i++)
        out->round[i].standing_queue |= out->capacity > 0 && !out->round[i].window_full &&
                                        !out->round[i].starved &&
                                        smooth_rate(out, i) >= out->capacity * SAME_RATE;
    fill_flat_runs(out->round, out->n);
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
    bool remote = vantage->to_side_ns[x->from] > 0;

    *out = (struct tw_rounds) { .of_send = g_new(uint32_t, x->n + 1) };
    for (uint32_t first = 0; first < x->n;) {
        struct tw_round r = measure(log, x, first, rtt, remote);

        for (uint32_t i = r.first; i <= r.last; i++)
            out->of_send[i] = rounds->len;
        g_array_append_val(rounds, r);
        first = r.last + 1;
    }
    out->n = rounds->len;
    out->round = (struct tw_round *)(void *)g_array_free(rounds, FALSE);
    compare_neighbours(out->round, out->n);
    find_restarts(x, out->round, out->n, rtt);
    find_flat_runs(x, out->round, out->n, remote);
    find_climbs(out->round, out->n, x->mss_bytes);
    find_queues(out, x->mss_bytes, rtt);
    find_own_clocks(x, out->round, out->n, rtt, remote);
    find_busy(log, x, out, rtt);
}

void tw_rounds_clear(struct tw_rounds *rounds)
{
    g_free(rounds->round);
    g_free(rounds->of_send);
    g_free(rounds->busy);
    *rounds = (struct tw_rounds) { 0 };
}
