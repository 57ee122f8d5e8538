/* SPDX-License-Identifier: MIT */
/*
 * After a loss the congestion window grows slowly (RFC 5681, 3.1; CUBIC, RFC 9438), and nothing
 * else holds the sender.
 */
#include "explain/causes/hypothesis.h"

/* What more of it would bring may be more of a queue. Round trips over a repair tell nothing: what
 * had come waited for what was lost. */
static bool may_be_full(const struct tw_gap *w)
{
    enum tw_growth growth = w->context->rounds[w->sender].growth;

    if (growth == TW_GROWTH_PASSES)
        return false;
    if (tw_gap_repairs_busily(w))
        return true;
    if (w->round->repeats > 0)
        return growth == TW_GROWTH_QUEUES || w->round->near_capacity;
    return w->round->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage));
}

/* While nobody waits, the side that spoke last may have had more to send. */
static bool may_be_full_when_idle(const struct tw_gap *w)
{
    return w->send && w->ack_clocked && w->flight_empty &&
           w->context->log->record[w->first_record].from == (uint8_t)w->sender &&
           !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_flight(w->before) >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes &&
           tw_gap_is_soon(w);
}

/* Without the handshake the shortest round trip may be one through a queue that stood from the
 * capture's begin: a longer one does not show it then. */
static bool may_hide_queue(const struct tw_gap *w)
{
    const struct tw_side *side = w->context->connection->side;

    return !side[TCPWHY_CLIENT].syn && !side[TCPWHY_SERVER].syn;
}

static bool is_doubted(const struct tw_gap *w)
{
    return !tw_gap_knows_window(w) || may_hide_queue(w) ||
           (w->round->window_full && w->context->vantage.to_side_ns[w->sender] > 0) ||
           tw_gap_queue_was_empty(w) || may_be_full(w) || tw_gap_may_be_full_path(w) ||
           w->round->restarted || tw_gap_late_ack(w) != TW_ACK_IN_TIME;
}

static double odds_of(const struct tw_gap *w)
{
    /* More in flight would only lengthen the queue, and a timer's ACK came late for any window. */
    if (w->round->standing_queue || tw_gap_waited_for_timer(w))
        return TW_ODDS_SUSPECTED;
    /* Not surely full, and longer than a round trip: perhaps a repair that we cannot see. */
    if (!tw_gap_cwnd_was_full(w))
        return w->to_ns - w->from_ns > w->context->vantage.rtt_min_ns ? TW_ODDS_PROGRAM
                                                                      : TW_ODDS_HINTED;
    /* A sender that finds out that it was misled takes the reduction back (RFC 4015). */
    if (!tw_gap_after_loss(w))
        return TW_ODDS_HINTED;
    return is_doubted(w) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
}

/* Away from the sender an ACK may have been late on its way there. */
static bool away_and_may_await_ack(const struct tw_gap *w)
{
    return w->context->vantage.to_side_ns[w->sender] > 0 && tw_pause_may_await_ack(w);
}

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{
    if (!w->before || !w->round)
        return false;
    r->party = TCPWHY_PARTY_PATH;
    r->odds = TW_ODDS_POSSIBLE;
    if (w->phase == TW_PHASE_IDLE)
        return may_be_full_when_idle(w);
    if (w->phase != TW_PHASE_MESSAGE)
        return false;
    if (!w->paused && !(tw_gap_after_loss(w) || w->round->misled_before))
        return false;
    if (w->paused && away_and_may_await_ack(w))
        return true;
    r->refuted = tw_gap_cwnd_had_room(w);
    if (!w->paused)
        r->odds = odds_of(w);
    return !r->refuted;
}

const struct tw_hypothesis tw_hypothesis_congestion_window_limited = {
    TCPWHY_CONGESTION_WINDOW_LIMITED, TW_NEEDS_WHOLE, weigh
};
