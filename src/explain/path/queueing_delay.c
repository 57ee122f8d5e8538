/* SPDX-License-Identifier: MIT */
/*
 * Finds where the path is full: a queue stands at the bottleneck, and more in flight brings no more
 * rate.
 */
#include "explain/path/queueing_delay.h"

#include <math.h>

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"

static bool is_longer(const struct tw_round *r, uint32_t mss, tcpwhy_ns rtt)
{
    tcpwhy_ns least = r->ends_message ? rtt / TW_FACTOR : 0;

    return r->queue_ns > MAX(least, tw_queue_shows_ns(rtt)) && !r->starved && !r->unread &&
           r->flight_bytes >= (int64_t)TW_FILLING_SEGMENTS * mss;
}

/* A bottleneck may have spread what left in bursts by its sender's clock: does it arrive without
 * such silences? Asked if nothing else shows a queue; no proof, since other paths spread, too. */
static bool arrives_steadily(const struct tw_rounds_view *v, const struct tw_round *r)
{
    const struct tw_sender_timeline *x = v->sends;
    uint32_t last = MIN(r->last + 1, x->n - 1);
    tcpwhy_ns longest_ns = 0;

    for (uint32_t i = r->first + 1; i <= last; i++)
        longest_ns = MAX(longest_ns, x->record[x->send[i].record].time_ns -
                                         x->record[x->send[i - 1].record].time_ns);
    return longest_ns < r->duration_ns / TW_SILENCE_SHARE;
}

static bool is_steady(const struct tw_round *r)
{
    return r->ends_message || r->max_gap_ns < r->duration_ns / TW_SILENCE_SHARE;
}

static bool may_fill_path(const struct tw_rounds_view *v, const struct tw_round *r,
                          bool by_arrivals)
{
    return is_longer(r, v->sends->mss_bytes, v->rtt_ns) && !r->window_full &&
           (is_steady(r) || (by_arrivals && arrives_steadily(v, r)));
}

/* Others share a full path: the rate is lower than before, a larger flight than in the previous
 * round still brings no more, and most of the RTT is queue. */
static bool shares_queue(const struct tw_round *r, tcpwhy_ns rtt)
{
    const struct tw_round *before = r - 1;

    return r->first > 0 && r->queue_ns > rtt && r->flight_bytes >= before->flight_bytes &&
           MIN(r->rate, before->rate) >= TW_SAME_RATE * MAX(r->rate, before->rate);
}

/* Rates of rounds: the median, and a high one that is no outlier. */
struct plateau {
    double median, high;
    enum tw_growth growth;
};

/* Slope of rate over flight on log scales: 1 if the RTT stays the same, 0 if a queue absorbs all
 * additional flight (Little's law). */
struct slope {
    double n, x, y, xx, xy;
};

static void add_point(struct slope *s, const struct tw_round *r)
{
    double x = log2((double)r->flight_bytes), y = log2(r->rate);

    s->n++;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->xy += x * y;
}

static enum tw_growth growth_of(const struct slope *s)
{
    double spread = s->n * s->xx - s->x * s->x;

    if (s->n < TW_FEWEST || spread < s->n * TW_MIN_SQUARES)
        return TW_GROWTH_UNKNOWN;
    return s->n * s->xy - s->x * s->y < TW_HALF_WAY * spread ? TW_GROWTH_QUEUES : TW_GROWTH_PASSES;
}

/* Does this single segment leave alone, after another one, and does each end a write? */
static bool is_pushed(const struct tw_rounds_view *v, const struct tw_send *s)
{
    const struct tw_sender_timeline *x = v->sends;
    tcpwhy_ns pause_ns = s->sent_ns - s[-1].sent_ns;

    return pause_ns > tw_burst_gap_ns(v) && s->len <= x->mss_bytes &&
           s->moved_record != TW_NO_RECORD && !tw_leaves_promptly(x, s, pause_ns) &&
           x->record[s->record].flags & x->record[s[-1].record].flags & TW_PSH;
}

/*
 * Data queued for a full path leaves as ACKs come, or at the kernel's pace. If segments leave
 * without ACKs, each at the end of a write, the sender perhaps had no more: its program or host
 * sets the rate, whatever the flight, and a longer RTT says nothing of the path.
 */
static bool sets_own_rate(const struct tw_rounds_view *v, const struct tw_round *r)
{
    const struct tw_send *send = v->sends->send;
    uint32_t others = 0, n = r->last - r->first;

    if (v->remote || n == 0)
        return false;
    for (uint32_t i = r->first + 1; i <= r->last; i++) {
        others += !is_pushed(v, &send[i]);
        if (!tw_mostly(n - others, n))
            return false;
    }
    return true;
}

/* Among rounds longer than an RTT, without loss in or before them (cumulative ACKs jump after a
 * repair). */
static struct plateau find_plateau(const struct tw_rounds_view *v, bool by_arrivals)
{
    const struct tw_rounds *rounds = v->rounds;
    struct plateau p = { 0, 0, TW_GROWTH_UNKNOWN };
    struct slope slope = { 0 };
    int64_t *rate = NULL;
    uint32_t n = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        if (may_fill_path(v, &rounds->round[i], by_arrivals) && rounds->round[i].repeats == 0 &&
            (i == 0 || rounds->round[i - 1].repeats == 0)) {
            if (!rate)
                rate = tw_scratch_get(v->scratch, rounds->n, sizeof *rate);
            rate[n++] = tw_rate_bits(rounds->round[i].rate);
            if (rounds->round[i].rate > 0 && !sets_own_rate(v, &rounds->round[i]))
                add_point(&slope, &rounds->round[i]);
        }
    if (!rate)
        return p;
    p.median = tw_select_rate(rate, n, n / 2);
    p.high = tw_select_rate(rate, n, (size_t)n * TW_HIGH_PERCENT / 100);
    if (v->sends->queues_seen)
        p.growth = growth_of(&slope);
    tw_scratch_return(v->scratch, rate);
    return p;
}

/* The growth over all rounds with a queue, whatever limits their flight. */
static enum tw_growth growth_of_all(const struct tw_rounds_view *v)
{
    struct slope slope = { 0 };

    for (uint32_t i = 0; i < v->rounds->n; i++) {
        const struct tw_round *r = &v->rounds->round[i];

        if (is_longer(r, v->sends->mss_bytes, v->rtt_ns) && is_steady(r) && r->repeats == 0 &&
            r->rate > 0 && !sets_own_rate(v, r))
            add_point(&slope, r);
    }
    return growth_of(&slope);
}

/* Average over three rounds: away from the sender the edges of one are not sharp. */
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

static bool has_rate_of_full(const struct tw_rounds *rounds, uint32_t i)
{
    const struct tw_round *r = &rounds->round[i];

    return !r->window_full && !r->starved && !r->unread &&
           smooth_rate(rounds, i) >= rounds->capacity * TW_SAME_RATE;
}

/* No round without a repair, or behind one, carried more. */
static bool is_most(const struct tw_rounds *rounds)
{
    const struct tw_round *r = rounds->round;
    uint32_t more = 0;

    for (uint32_t i = 1; i < rounds->n; i++)
        more += r[i].repeats + r[i - 1].repeats == 0 && TW_SAME_RATE * r[i].rate > rounds->capacity;
    return more < TW_HABIT;
}

/* A path that is full in many rounds is full in all of the same rate; and if it never carried more,
 * in those of which larger flights brought a queue and no more rate. */
static void fill_same_rates(struct tw_rounds *rounds, uint32_t queues)
{
    bool many = queues * TW_QUARTER >= rounds->n;
    double larger = 0;

    for (uint32_t i = 0; i < rounds->n; i++)
        larger += rounds->round[i].queue.standing ? (double)rounds->round[i].flight_bytes : 0;
    if (!many && (queues < TW_HABIT || rounds->growth == TW_GROWTH_PASSES || !is_most(rounds)))
        return;
    for (uint32_t i = 0; i < rounds->n; i++)
        if (many || (double)rounds->round[i].flight_bytes * queues <= TW_SAME_RATE * larger)
            rounds->round[i].queue.standing |= has_rate_of_full(rounds, i);
}

/* A constant flight with a queue in many of its rounds fills the path in all. */
static void fill_flat_runs(struct tw_round *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += r[i].flat.rounds) {
        uint32_t queues = 0;

        for (uint32_t k = i; k < i + r[i].flat.rounds; k++)
            queues += r[k].queue.standing;
        for (uint32_t k = i; queues * TW_QUARTER >= r[i].flat.rounds && k < i + r[i].flat.rounds;
             k++)
            r[k].queue.standing |= r[k].max_gap_ns < r[k].duration_ns / TW_SILENCE_SHARE;
    }
}

/* A standing queue delays every segment (RFC 8289, 3: the minimum delay shows it). */
static bool empties(const struct tw_rounds_view *v, const struct tw_round *r)
{
    const tcpwhy_ns *rtt_ns = v->sends->rtt_ns,
                    none_ns = v->rtt_ns + tw_queue_shows_ns(v->rtt_ns) / 2;

    for (uint32_t i = r->first; i <= r->last; i++)
        if (rtt_ns[i] != TCPWHY_NS_UNKNOWN && rtt_ns[i] < none_ns)
            return true;
    return false;
}

/* The path carried more at other times, and most of the RTT is no queue. */
static bool is_doubtful(const struct tw_rounds_view *v, const struct tw_round *r,
                        const struct plateau *p)
{
    if (!v->sends->queues_seen)
        return false;
    if (p->growth != TW_GROWTH_UNKNOWN)
        return p->growth == TW_GROWTH_PASSES;
    return (r->queue_ns <= v->rtt_ns && r->rate < p->high * TW_FULL_RATE) || empties(v, r);
}

static void find_queues(const struct tw_rounds_view *v)
{
    struct tw_rounds *out = v->rounds;
    struct plateau plateau = find_plateau(v, false);
    bool by_arrivals = v->remote && plateau.median <= 0;
    uint32_t queues = 0;
    bool most;

    if (by_arrivals)
        plateau = find_plateau(v, true);
    out->capacity = plateau.median;
    out->growth = by_arrivals ? TW_GROWTH_UNKNOWN : plateau.growth;
    if (out->capacity <= 0)
        return;
    for (uint32_t i = 0; i < out->n; i++) {
        struct tw_round *r = &out->round[i];

        r->queue.standing = may_fill_path(v, r, by_arrivals) &&
                            (r->rate >= out->capacity * TW_FULL_RATE || shares_queue(r, v->rtt_ns));
        queues += r->queue.standing;
    }
    fill_same_rates(out, queues);
    fill_flat_runs(out->round, out->n);
    most = out->growth != TW_GROWTH_PASSES || is_most(out);
    for (uint32_t i = 0; i < out->n; i++) {
        struct tw_round *r = &out->round[i];

        r->queue.pushed = r->queue.standing && sets_own_rate(v, r);
        r->queue.doubtful =
            r->queue.standing && (by_arrivals || r->queue.pushed || is_doubtful(v, r, &plateau));
        r->queue.near_capacity =
            most && (r->repeats > 0 ? smooth_rate(out, i) >= out->capacity * TW_FULL_RATE
                                    : queues >= TW_HABIT && has_rate_of_full(out, i));
    }
}

/* Through a bottleneck ACKs come one by one, for one or two segments (RFC 5681, 4.2); a slow reader
 * collects more of them, and jitter bunches them. */
static bool comes_evenly(const struct tw_round *r, uint32_t mss)
{
    double step_ns = r->rate > 0 ? TW_UNEVEN * 2e9 * mss / r->rate : 0;

    return (double)r->max_gap_ns <= MAX((double)TW_JOINED_NS, step_ns);
}

/*
 * A window larger than the path leaves the rest in a standing queue: more window means more queue
 * and no more rate. If the flight did not grow enough to show that, others may have made the queue.
 */
static void find_window_queues(const struct tw_rounds_view *v)
{
    struct tw_round *round = v->rounds->round;
    uint32_t found = 0;

    for (uint32_t i = 0; i < v->rounds->n; i++) {
        round[i].queue.at_window =
            round[i].window_full && comes_evenly(&round[i], v->sends->mss_bytes) &&
            is_longer(&round[i], v->sends->mss_bytes, v->rtt_ns) && !empties(v, &round[i]);
        found += round[i].queue.at_window;
    }

    enum tw_growth growth = found ? growth_of_all(v) : TW_GROWTH_UNKNOWN;

    for (uint32_t i = 0; growth != TW_GROWTH_UNKNOWN && i < v->rounds->n; i++) {
        round[i].queue.at_window &= growth == TW_GROWTH_QUEUES;
        round[i].queue.standing |= round[i].queue.at_window;
    }
}

/* Do the ACKs of a round come without a silence that no full path has, until it is over? */
static bool is_acked_steadily(const struct tw_sender_timeline *x, const struct tw_round *r)
{
    const struct tw_record *ack = &x->record[x->send[r->first].record],
                           *next = &x->record[x->send[r->last + 1].record];
    tcpwhy_ns before_ns = ack->time_ns, longest_ns = 0;
    int64_t acked = x->send[r->first].acked;

    for (; ack < next; ack++)
        if (ack->from != (uint8_t)x->from && ack->flags & TW_ACK && ack->ack > acked) {
            longest_ns = MAX(longest_ns, ack->time_ns - before_ns);
            before_ns = ack->time_ns;
            acked = ack->ack;
        }
    return MAX(longest_ns, next->time_ns - before_ns) < r->duration_ns / TW_SILENCE_SHARE;
}

/*
 * At the sender: a writer that writes the same amount each time all is acknowledged lets the path
 * work it off. While that takes longer than the minimum RTT, most of the time goes to the path.
 */
static void find_drained(const struct tw_rounds_view *v)
{
    struct tw_rounds *out = v->rounds;

    for (uint32_t i = 0; i + 1 < out->n; i++) {
        struct tw_round *r = &out->round[i];

        r->queue.drains = !r->queue.standing && r->flat.rounds >= TW_HABIT && !r->loss_before &&
                          !r->window_full && r->queue_ns > v->rtt_ns &&
                          is_longer(r, v->sends->mss_bytes, v->rtt_ns) &&
                          is_acked_steadily(v->sends, r);
        r->queue.standing |= r->queue.drains;
        if (r->queue.drains && out->capacity <= 0)
            out->capacity = r->rate;
    }
}

void tw_queueing_delay_find(const struct tw_rounds_view *v)
{
    find_queues(v);
    if (v->sends->queues_seen)
        find_window_queues(v);
    if (!v->remote && v->rtt_ns > 0)
        find_drained(v);
}
