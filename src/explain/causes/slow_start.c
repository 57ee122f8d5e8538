/* SPDX-License-Identifier: MIT */
/*
 * The congestion window held it, and still doubles from round trip to round trip (RFC 5681, 3.1): a
 * connection that has not yet found out what the path carries.
 */
#include "explain/causes/hypothesis.h"

/*
 * Nothing less than a segment leaves while more is queued, but at the end of the window
 * (silly-window avoidance, RFC 9293, 3.8.6.2.1): behind it its sender had nothing more, pushed or
 * not. Who cuts all he has smaller than is known, as for a path MTU, goes on as small.
 */
static bool may_have_been_empty(const struct tw_gap *w)
{
    const struct tw_send *before = w->before;

    return tw_send_is_small(before) && before->len < w->send->len &&
           !tw_send_fills_remainder(before);
}

/* A full congestion window opens with an ACK; without one the sender paused, or paced itself, or
 * the way spread what it sent. */
static bool is_doubted(const struct tw_gap *w)
{
    bool released = w->ack_clocked || w->to_ns - w->from_ns <= tw_burst_ns(&w->context->vantage);

    return !released || w->round->window_full || tw_gap_queue_was_empty(w) ||
           may_have_been_empty(w) || tw_gap_repairs_busily(w) ||
           tw_gap_late_ack(w) != TW_ACK_IN_TIME;
}

static double odds_of(const struct tw_gap *w)
{
    /* More in flight would only lengthen the queue, and a timer's ACK came late for any window. */
    if (w->round->standing_queue || tw_gap_waited_for_timer(w) ||
        (!tw_gap_cwnd_was_full(w) && !w->ack_clocked))
        return TW_ODDS_SUSPECTED;
    if (!tw_gap_cwnd_was_full(w) || w->round->misled_before || w->round->restarted)
        return TW_ODDS_HINTED;
    return is_doubted(w) ? TW_ODDS_DOUBTED : TW_ODDS_SHOWN;
}

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_POSSIBLE;
    if (w->paused)
        return tw_pause_ns(w) <= 2 * w->context->vantage.behind_proxy_ns[w->sender];
    if (tw_gap_after_loss(w) ||
        w->round->flight_bytes < (int64_t)w->context->sends[w->sender].mss_bytes)
        return false;
    r->refuted = tw_gap_cwnd_had_room(w);
    if (r->refuted)
        return false;
    if (!tw_gap_cwnd_room(w)->grows) {
        r->refuted = "the congestion window was beyond the slow-start threshold";
        return false;
    }
    r->odds = odds_of(w);
    return true;
}

const struct tw_hypothesis tw_hypothesis_slow_start = {
    TCPWHY_SLOW_START, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE, weigh
};
