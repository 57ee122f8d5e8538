/* SPDX-License-Identifier: MIT */
/*
 * Time that nobody could have saved: a pause within a message too short to be anything but
 * serialisation, and the propagation of the last segment, which may have been longer than known.
 */
#include "explain/causes/hypothesis.h"

/* The return path varies by as much as the queue that seems to stand on it. */
static bool may_vary(const struct tw_gap *w)
{
    return w->round &&
           ((w->uneven && w->context->rounds[w->sender].growth != TW_GROWTH_QUEUES) ||
            (w->round->ends_message && w->round->queue_ns <= w->context->vantage.rtt_min_ns));
}

#define LONGER "the path does not take so long"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = TCPWHY_PARTY_PATH;
    if (w->phase == TW_PHASE_IDLE || w->phase == TW_PHASE_TURN) {
        r->odds = TW_ODDS_POSSIBLE;
        return tw_gap_may_be_way(w) && !tw_gap_way_queues(w) ? NULL : LONGER;
    }
    if (w->paused)
        return LONGER;
    if (tw_gap_may_be_serialisation(w))
        return NULL;
    r->odds = TW_ODDS_SUSPECTED / 2;
    return may_vary(w) ? NULL : LONGER;
}

const struct tw_hypothesis tw_hypothesis_wire = { TCPWHY_WIRE, TW_NEEDS_NOTHING, weigh };
