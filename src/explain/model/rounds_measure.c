/* SPDX-License-Identifier: MIT */
#include "explain/model/rounds_parts.h"

#include <glib.h>

#include "base/select.h"
#include "explain/thresholds.h"

/* Time in which the sender had nothing to send: gaps that no ACK ended. */
static tcpwhy_ns pauses(const struct tw_sender_timeline *x, const struct tw_send *begin,
                        const struct tw_send *last, tcpwhy_ns pause)
{
    tcpwhy_ns sum = 0;

    for (const struct tw_send *s = begin + 1; s <= last; s++) {
        tcpwhy_ns gap = s->sent_ns - s[-1].sent_ns, lag = gap;

        if (gap <= pause)
            continue;
        if (s->moved_record != TW_NO_RECORD)
            lag = s->sent_ns - tw_send_moved_ns(x, s);
        if (lag > pause)
            sum += MIN(gap, lag);
    }
    return sum;
}

/*
 * Bytes that passed the path in a round: at the sender, or by its clock, acknowledged ones;
 * elsewhere, arrived ones.
 */
static int64_t passed(const struct tw_sender_timeline *x, uint32_t first, uint32_t next)
{
    int64_t bytes = 0;

    if (x->queues_seen)
        return x->send[MIN(next, x->n - 1)].acked - x->send[first].acked;
    for (uint32_t i = first; i < next; i++)
        bytes += x->send[i].len;
    return bytes;
}

/* Is there no room for another segment, in a window of at least two? */
static bool reaches_edge(const struct tw_send *s, uint32_t mss)
{
    return s->edge - s->end < (int64_t)mss && tw_send_flight(s) * 2 > s->edge - s->acked;
}

static uint32_t keep_known(tcpwhy_ns *rtt_ns, uint32_t n)
{
    uint32_t known = 0;

    for (uint32_t i = 0; i < n; i++)
        if (rtt_ns[i] != TCPWHY_NS_UNKNOWN)
            rtt_ns[known++] = rtt_ns[i];
    return known;
}

/* The median RTT of a round's sends; 0: unknown. Reorders them. */
static tcpwhy_ns usual_round_trip(const struct tw_sender_timeline *x, uint32_t first, uint32_t next)
{
    tcpwhy_ns *rtt_ns = x->rtt_ns + first;
    uint32_t n = next <= x->first_unknown ? next - first : keep_known(rtt_ns, next - first);

    return n > 1 ? tw_select_ns(rtt_ns, n, n / 2) : n ? rtt_ns[0] : 0;
}

/* When the receiver had all of a message that ended with the previous send, its last ACK perhaps
 * delayed: the last segment takes at most twice the usual time, even if a whole burst queues. */
static tcpwhy_ns message_over_ns(const struct tw_sender_timeline *x, const struct tw_send *s,
                                 tcpwhy_ns usual)
{
    return MIN(tw_send_moved_ns(x, s), s[-1].sent_ns + 2 * usual);
}

/* Collect what the sends of a round show. @return the first send after it. */
static const struct tw_send *gather(const struct tw_sender_timeline *x, uint32_t first,
                                    struct tw_round *r)
{
    const struct tw_send *begin = &x->send[first], *end = x->send + x->n, *s = begin;
    int64_t start = tw_send_seq(begin), flight = 0, window = INT64_MAX;
    tcpwhy_ns before_ns = begin->sent_ns, gap = 0;
    uint32_t repeats = 0;
    bool full = false, reduced = false, misled = false;

    do {
        flight = MAX(flight, tw_send_flight(s));
        if (s->edge != INT64_MAX) {
            window = MIN(window, s->edge - s->acked);
            full = full || reaches_edge(s, x->mss_bytes);
        }
        if (s->is & (TW_SEND_REPEAT | TW_SEND_REDUCED)) {
            bool needless = s->is & TW_SEND_SPURIOUS;

            repeats += s->is & TW_SEND_REPEAT && !needless;
            reduced |= s->is & TW_SEND_REDUCED && !needless;
            misled |= s->is & TW_SEND_REDUCED && needless;
        }
        gap = MAX(gap, s->sent_ns - before_ns);
        before_ns = s->sent_ns;
        s++;
    } while (s < end && s->acked <= start);
    *r = (struct tw_round) {
        .first = first,
        .last = (uint32_t)(s - x->send) - 1,
        .max_gap_ns = gap,
        .flight_bytes = flight,
        .window_bytes = window,
        .repeats = repeats,
        .reduced = reduced,
        .misled_before = misled,
        .window_full = full,
    };
    return s;
}

/*
 * Did the window shrink by most of what was acknowledged? While a program does not read, its kernel
 * acknowledges late: at once only if the window does not shrink (__tcp_ack_snd_check()).
 */
static bool is_unread(const struct tw_send *begin, const struct tw_send *next)
{
    return begin->edge != INT64_MAX && next->edge != INT64_MAX &&
           2 * (next->edge - begin->edge) < next->acked - begin->acked;
}

/* The round that begins with a send. */
static void measure(const struct tw_rounds_view *v, uint32_t first, struct tw_round *r)
{
    const struct tw_sender_timeline *x = v->sends;
    const struct tw_send *begin = &x->send[first], *s = gather(x, first, r);
    const uint32_t after = r->last + 1;
    const bool goes_on = after < x->n;
    const struct tw_send *next = goes_on ? s : s - 1;
    tcpwhy_ns rtt = v->rtt_ns, usual = x->queues_seen ? usual_round_trip(x, first, after) : 0;
    tcpwhy_ns pause = MAX(rtt, usual) / TW_PAUSE_SHARE, paused, busy;

    r->ends_message = usual && goes_on && tw_begins_anew(s);
    r->duration_ns =
        (r->ends_message ? message_over_ns(x, s, usual) : next->sent_ns) - begin->sent_ns;
    r->max_gap_ns = MAX(r->max_gap_ns, next->sent_ns - s[-1].sent_ns);
    paused = r->max_gap_ns > pause ? pauses(x, begin, r->ends_message ? s - 1 : next, pause) : 0;
    busy = r->duration_ns - paused;
    r->starved = paused > pause;
    r->unread = goes_on && is_unread(begin, next);
    if (usual)
        r->queue_ns = MAX(usual - rtt, 0);
    else if (busy > rtt && goes_on)
        r->queue_ns = busy - rtt;
    if (busy > 0)
        r->rate = (double)passed(x, first, after) * 1e9 / (double)MAX(busy, rtt);
}

/* A needed retransmission, or CWR. */
static bool tells_loss(const struct tw_send *s)
{
    return s->is & (TW_SEND_REPEAT | TW_SEND_REDUCED) && !(s->is & TW_SEND_SPURIOUS);
}

/* CWR, and no smaller flight in the next two rounds: this sender does not reduce for a mark (BBR).
 * Others have done so a round trip later (RFC 6937), if it is more than a few segments. */
static bool ignores_mark(const struct tw_sender_timeline *x, const struct tw_round *r)
{
    return r->reduced && r->repeats == 0 && !r->no_next && !r[1].no_next &&
           r->flight_bytes > TW_INITIAL_SEGMENTS * (int64_t)x->mss_bytes &&
           r[1].flight_bytes >= r->flight_bytes && r[2].flight_bytes >= r->flight_bytes;
}

static void find_losses(const struct tw_sender_timeline *x, struct tw_rounds *out)
{
    struct tw_round *r = out->round;
    bool before = false, misled = false;

    for (uint32_t i = 0; i < out->n; i++) {
        bool first = !before && (r[i].repeats > 0 || (r[i].reduced && !ignores_mark(x, &r[i])));

        for (uint32_t k = r[i].first; first && !before; k++) {
            before = tells_loss(&x->send[k]);
            out->first_loss = k;
        }
        r[i].loss_before = before;
        r[i].misled_before = misled |= r[i].misled_before;
    }
}

static void find_restarts(const struct tw_sender_timeline *x, struct tw_round *r, uint32_t n,
                          tcpwhy_ns rtt)
{
    for (uint32_t i = 1; i < n; i++) {
        tcpwhy_ns silence = x->send[r[i].first].sent_ns - x->send[r[i].first - 1].sent_ns;

        r[i].idle_before = silence > rtt + TW_RTO_MIN_NS;
        r[i].restarted = r[i].idle_before ? r[i].flight_bytes * 2 <= r[i - 1].flight_bytes ||
                                                tw_round_next_growth(&r[i]) > TW_SLOW_START_GROWTH
                                          : r[i - 1].restarted && tw_round_growth(&r[i]) >= 1;
    }
}

/* cwnd does not shrink without an idle time or a loss, and after a loss nobody asks. */
static void find_most(struct tw_round *r, uint32_t n)
{
    int64_t most = 0, before_idle = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (r[i].idle_before)
            before_idle = MAX(before_idle, most);
        if (r[i].misled_before || r[i].idle_before)
            most = 0;
        if (r[i].misled_before || r[i].repeats > 0 || r[i].reduced)
            before_idle = 0;
        r[i].most_bytes = most;
        r[i].idle_bytes = before_idle;
        most = MAX(most, r[i].flight_bytes);
    }
}

tcpwhy_ns tw_quantile(tcpwhy_ns *values, uint32_t n, unsigned percent)
{
    return tw_select_ns(values, n, (size_t)(n - 1) * percent / 100);
}

bool tw_rounds_measure(struct tw_rounds_view *view)
{
    const struct tw_sender_timeline *x = view->sends;
    struct tw_rounds *out = view->rounds;
    uint32_t capacity = 0;

    *out = (struct tw_rounds) { 0 };
    if (x->n == 0)
        return false;
    for (uint32_t first = 0; first < x->n;) {
        struct tw_round *r;

        out->round =
            tw_scratch_grow(view->scratch, out->round, out->n, &capacity, sizeof *out->round);
        r = &out->round[out->n++];
        measure(view, first, r);
        first = r->last + 1;
    }
    out->round[out->n - 1].no_next = true;
    find_losses(x, out);
    find_restarts(x, out->round, out->n, view->rtt_ns);
    find_most(out->round, out->n);
    return true;
}
