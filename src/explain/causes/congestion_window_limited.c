/* SPDX-License-Identifier: MIT */
/*
 * After a loss the congestion window grows slowly (RFC 5681, 3.1; CUBIC, RFC 9438) and nothing else
 * limits the sender.
 */
#include "explain/causes/hypothesis.h"

/* A larger window might only lengthen a queue. RTTs during a repair are no evidence: data that had
 * arrived waited for the hole to be filled. */
static bool may_be_full(const struct tw_gap *w)
{
    enum tw_growth growth = w->context->rounds[w->sender].growth;

    if (w->round->queue.near_capacity)
        return true;
    if (growth == TW_GROWTH_PASSES)
        return false;
    if (tw_gap_repairs_busily(w))
        return true;
    if (w->round->repeats > 0)
        return growth == TW_GROWTH_QUEUES;
    return w->round->queue_ns > tw_queue_shows_ns(tw_min_rtt_ns(&w->context->vantage));
}

/* The segments of a burst left together. SACK blocks and duplicate ACKs also free room in cwnd (RFC
 * 6675; limited transmit, RFC 3042). */
static bool let_go(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];

    if (w->to_ns - w->from_ns <= tw_burst_ns(&w->context->vantage))
        return true;
    return tw_send_heard_just_before(x, w->send, &w->context->vantage) &&
           tw_sender_timeline_heard_ns(x, w->send->ack_record) > w->before->sent_ns;
}

/* With cwnd = 1 MSS, ECN-Echo makes the sender wait for its RTO before the next segment (RFC 3168,
 * 6.1.2). A delayed ACK may cover two segments, hence 2 MSS. */
static bool may_await_timer(const struct tw_gap *w)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *before = tw_gap_record(w, w->before);

    if (tw_pause_ns(w) < TW_RTO_SEEN_NS || !w->round->loss_before ||
        tw_send_flight(w->before) > 2 * (int64_t)w->context->sends[w->sender].mss_bytes)
        return false;
    if (w->send->is & TW_SEND_REDUCED)
        return true;
    for (const struct tw_record *r = sent - 1; r > before; r--)
        if (r->from != sent->from && r->flags & TW_ECE)
            return true;
    return false;
}

/* May cwnd have ended a pause? */
static bool is_possible(const struct tw_gap *w)
{
    if (tw_pause_keeps_clock(w))
        return false;
    if (may_await_timer(w) ||
        (!(w->before->is & TW_SEND_PARTIAL) && tw_pause_echoes_what_follows(w)))
        return true;
    return tw_pause_may_await_ack(w) && !tw_gap_ack_was_held(w);
}

/* In an idle gap, the side that spoke last may have had more to send. */
static bool may_be_full_when_idle(const struct tw_gap *w)
{
    return w->send && w->ack_clocked && w->flight_empty &&
           w->context->log->record[w->first_record].from == (uint8_t)w->sender &&
           !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_flight(w->before) >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes &&
           tw_gap_is_soon(w);
}

/* Without the handshake, the minimum RTT may include a queue that stood from the start of the
 * capture, so a longer RTT does not show it. */
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
    const struct tw_round *r = w->round;

    /* More in flight would only lengthen the queue. A full cwnd grows, so a flight this flat has
     * another limit. */
    if (r->queue.standing)
        return TW_ODDS_SUSPECTED;
    if (r->flat.rounds >= (r->loss_before ? TW_CUBIC_FLAT_ROUNDS : TW_HABIT) && !r->flat.climbing)
        return TW_ODDS_SUSPECTED;
    if (tw_gap_waited_for_timer(w))
        return TW_ODDS_SUSPECTED;
    /* No ACK let it go, and it took longer than an RTT: possibly a repair that did not pass
     * here. */
    if (!let_go(w))
        return w->to_ns - w->from_ns > w->context->vantage.rtt_min_ns ? TW_ODDS_PROGRAM
                                                                      : TW_ODDS_HINTED;
    /* A sender that detects a spurious recovery undoes the reduction (RFC 4015). */
    if (!tw_gap_after_loss(w))
        return TW_ODDS_HINTED;
    return is_doubted(w) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    if (!w->before || !w->round)
        return "nothing was sent before";
    r->party = TCPWHY_PARTY_PATH;
    r->odds = TW_ODDS_POSSIBLE;
    if (w->phase == TW_PHASE_IDLE)
        return may_be_full_when_idle(w) ? NULL : "nothing was left to send";
    if (w->phase != TW_PHASE_MESSAGE)
        return "not within a message";
    if (w->paused) {
        r->odds = TW_ODDS_SUSPECTED; /* by the diaries of the lab a third are the program's */
        return is_possible(w) ? NULL : "no ACK let it go";
    }
    if (w->round->flat.paced)
        return "its sender's pace and no ACK let it go";
    if (tw_gap_fits_any_window(w))
        return "any congestion window had room";
    if (!tw_gap_after_loss(w) && !w->round->misled_before)
        return "no loss and no ECN-Echo had made the congestion window smaller";
    r->odds = odds_of(w);
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_congestion_window_limited = {
    TCPWHY_CONGESTION_WINDOW_LIMITED, TW_NEEDS_WHOLE, weigh
};
