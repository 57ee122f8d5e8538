/* SPDX-License-Identifier: MIT */
/*
 * The flight still doubles from one round trip to the next (RFC 5681, 3.1): the connection has not
 * yet found out what the path carries.
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The flight exceeds all earlier ones: a size reached once may be reached again without growth. */
static bool grows(const struct tw_round *r, double growth)
{
    return growth >= TW_SLOW_START_GROWTH && r->flight_bytes > r->most_bytes;
}

static bool grows_next(const struct tw_round *r)
{
    return grows(r + 1, tw_round_next_growth(r));
}

/* At most one ACK of new data came between the first segments of this round and the next. */
static bool is_of_one_ack(const struct tw_gap *w, const struct tw_round *r)
{
    const struct tw_send *send = w->context->sends[w->sender].send;
    const struct tw_record *a = w->context->log->record + send[r->first].record;
    const struct tw_record *end = w->context->log->record + send[r[1].first].record;
    int64_t acked = INT64_MAX;

    if (end - a > TW_NEAR_RECORDS)
        return false;
    for (; a < end; a++) {
        if (a->from != w->sender && a->ack > acked)
            return false;
        if (a->from != w->sender)
            acked = a->ack;
    }
    return true;
}

/* Without byte counting (RFC 3465; Linux since 3.18) cwnd grows by one segment per ACK, however
 * much that covers (RFC 5681, 3.1). If one ACK covers a whole flight, as after GRO, slow start adds
 * no more than congestion avoidance. */
static bool may_grow_by_acks(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;

    return r->first > 0 && !r->no_next && !r->starved && !r->misled_before &&
           r->flight_bytes >= r[-1].flight_bytes + w->context->sends[w->sender].mss_bytes &&
           r[1].flight_bytes >= r->flight_bytes && is_of_one_ack(w, r) && is_of_one_ack(w, r - 1);
}

/* Part of the first flight, which nothing held back. */
static bool follows_in_first(const struct tw_gap *w)
{
    int64_t first = TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns;

    return w->send->end <= 1 + first && w->send->acked <= 1 &&
           w->to_ns - w->from_ns <= MAX(rtt / TW_SHORT_SHARE, TW_SHORT_NS);
}

/* May the flight have been larger before? If the capture lacks the connection's beginning, only two
 * rounds of growth show slow start. */
static bool may_have_been_larger(const struct tw_gap *w, double growth)
{
    const struct tw_round *r = w->round;

    if (w->context->connection->side[w->sender].syn)
        return growth != 0 && !grows(r, growth) && !grows_next(r);
    return !grows(r, growth) || !grows_next(r);
}

/*
 * While more is queued, only the end of the window lets a partial segment go (silly-window
 * avoidance, RFC 9293, 3.8.6.2.1): after any other, with PSH or not, the sender had nothing left. A
 * sender whose segments are all smaller than known, as for a path MTU, continues with the same
 * size.
 */
static bool may_have_been_empty(const struct tw_gap *w)
{
    const struct tw_send *before = w->before;

    return tw_send_is_small(before) && before->len < w->send->len &&
           !tw_send_fills_remainder(before);
}

/* Without a loss, a cwnd that lets more go than ever before is not in congestion avoidance yet: the
 * growth is less than half only because the previous round did not use all of it. */
static bool has_grown(const struct tw_gap *w)
{
    const struct tw_round *r = w->round;
    int64_t step = (int64_t)TW_FLAT_SEGMENTS * w->context->sends[w->sender].mss_bytes;

    return w->ack_clocked && r->first > 0 && !r->loss_before && !r->misled_before &&
           r->idle_bytes == 0 && r[-1].flight_bytes == r->most_bytes &&
           r->flight_bytes > r->most_bytes + step && tw_round_growth(r - 1) >= TW_SLOW_START_GROWTH;
}

/* The flight grows from round to round, or is the first. */
static bool fits(const struct tw_gap *w, double growth)
{
    const struct tw_round *r = w->round;

    /* The first flight waits for its ACKs whatever follows. The first flight of the capture is the
     * connection's first only if the handshake is there. */
    if (growth == 0 && w->context->connection->side[w->sender].syn)
        return true;
    return growth >= TW_SLOW_START_GROWTH || tw_round_next_growth(r) >= TW_SLOW_START_GROWTH ||
           may_grow_by_acks(w) || has_grown(w);
}

/* A full cwnd opens with an ACK. Without one the sender paused or paced, or the path spread what it
 * sent. */
static bool is_doubted(const struct tw_gap *w)
{
    bool released = w->ack_clocked || w->to_ns - w->from_ns <= tw_burst_ns(&w->context->vantage);

    return !released || w->round->window_full || tw_gap_queue_was_empty(w) ||
           may_have_been_empty(w) || tw_gap_repairs_busily(w) ||
           tw_gap_late_ack(w) != TW_ACK_IN_TIME;
}

/* The segment ends a message, no round shows growth, and the flight fits in the initial window (RFC
 * 6928). */
static bool is_less_than_initial(const struct tw_gap *w, double growth)
{
    return tw_send_is_small(w->send) && growth < TW_SLOW_START_GROWTH &&
           tw_round_next_growth(w->round) < TW_SLOW_START_GROWTH &&
           tw_send_flight(w->before) <
               TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;
}

static double odds_of(const struct tw_gap *w, double growth)
{
    /* More in flight would only lengthen the queue; a delayed ACK would have been late for any
     * window. */
    if (w->round->queue.standing || tw_gap_waited_for_timer(w))
        return TW_ODDS_SUSPECTED;
    if (is_less_than_initial(w, growth) || may_have_been_larger(w, growth) ||
        w->round->misled_before || w->round->restarted)
        return TW_ODDS_HINTED;
    return is_doubted(w) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_round *round = w->round;
    double growth;

    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_POSSIBLE;
    if (w->paused)
        return tw_pause_ns(w) <= 2 * w->context->vantage.behind_proxy_ns[w->sender]
                   ? NULL
                   : "no ACK let it go";
    /* cwnd is at least one segment (RFC 5681, 3.1). */
    if (tw_gap_fits_any_window(w) ||
        round->flight_bytes < (int64_t)w->context->sends[w->sender].mss_bytes)
        return "any congestion window had room";
    if (tw_gap_after_loss(w))
        return "a loss had ended slow start";
    growth = tw_round_growth(round);
    if (!fits(w, growth))
        return "the flight does not grow as in slow start";
    if (follows_in_first(w))
        return "nothing holds a segment of the initial window";
    r->odds = odds_of(w, growth);
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_slow_start = {
    TCPWHY_SLOW_START, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE, weigh
};
