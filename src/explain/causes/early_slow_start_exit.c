/* SPDX-License-Identifier: MIT */
/*
 * Doubling turned into a segment a round trip without a loss and without a queue: a low slow-start
 * threshold from the start (cached metrics of an earlier connection, tcp_no_metrics_save).
 */
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_round *r = w->round;
    tcpwhy_ns rtt = tw_min_rtt_ns(&w->context->vantage);
    double growth, next;

    if (r->loss_before || r->misled_before || r->restarted || r->starved ||
        r->flight_bytes <= r->most_bytes || r->queue_ns > tw_queue_shows_ns(rtt))
        return false;
    growth = tw_round_growth(r);
    next = tw_round_next_growth(r);
    if (growth <= 1 || growth >= TW_SLOW_START_GROWTH || next < 1 || next >= TW_SLOW_START_GROWTH)
        return false;
    c->party = tw_party_of(w->sender);
    tw_claim_add_rival(c, TCPWHY_SEND_BUFFER_LIMITED);
    return true;
}

const struct tw_detector tw_detect_early_slow_start_exit = { TCPWHY_EARLY_SLOW_START_EXIT, claim,
                                                             TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE };
