/* SPDX-License-Identifier: MIT */
/*
 * Growth changed from doubling to one segment per RTT without a loss or a queue: ssthresh was low
 * from the start (metrics cached from an earlier connection, tcp_no_metrics_save).
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const struct tw_round *round = w->round;
    tcpwhy_ns rtt = tw_min_rtt_ns(&w->context->vantage);
    double growth, next;

    if (w->paused)
        return "no ACK let it go";
    if (round->loss_before || round->misled_before)
        return "a loss or ECN-Echo came before";
    if (round->restarted || round->starved || round->flight_bytes <= round->most_bytes)
        return "as much was in flight before";
    if (round->queue_ns > tw_queue_shows_ns(rtt))
        return "a queue stands on the path";
    growth = tw_round_growth(round);
    next = tw_round_next_growth(round);
    if (growth <= 1 || growth >= TW_SLOW_START_GROWTH || next < 1 || next >= TW_SLOW_START_GROWTH)
        return "the flight does not grow as in congestion avoidance";
    r->party = tw_party_of(w->sender);
    r->odds = TW_ODDS_HINTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_early_slow_start_exit = {
    TCPWHY_EARLY_SLOW_START_EXIT, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE, weigh
};
