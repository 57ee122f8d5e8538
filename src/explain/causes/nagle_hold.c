/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm held a partial segment for one round trip: the ACK came in its normal time.
 */
#include "explain/causes/nagle.h"
#include "explain/thresholds.h"

/* Away from the receiver: the delay is longer than any timer, or a queue on the path could account
 * for all of it. */
static bool may_be_the_way(const struct tw_gap *w, tcpwhy_ns delay_ns)
{
    const struct tw_vantage *v = &w->context->vantage;

    return v->to_side_ns[tw_other(w->sender)] > 0 &&
           (delay_ns > TW_LONGEST_DELAYED_ACK_NS || delay_ns < v->rtt_min_ns);
}

/* The ACK queued for at least half of the delay; the data may have queued as well. */
static bool had_queue(const struct tw_gap *w, tcpwhy_ns delay_ns)
{
    return 2 * w->way.ack_late_ns >= delay_ns;
}

/* The ACK that a partial segment waited for did not come, and the probe timer let it go. */
static bool was_probed(const struct tw_gap *w)
{
    return tw_sender_timeline_may_hold(&w->context->sends[w->sender], w->send) &&
           tw_send_is_probe(&w->context->sends[w->sender], w->send,
                            w->context->vantage.rtt_min_ns) &&
           tw_nagle_partial_before(w);
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const char *refuted = tw_nagle_weigh(w, r);
    tcpwhy_ns delay_ns;

    if (refuted && was_probed(w)) {
        r->party = tw_party_of(w->sender);
        r->odds = TW_ODDS_DOUBTED;
        return NULL;
    }
    if (refuted) {
        r->odds = TW_ODDS_POSSIBLE;
        return tw_nagle_is_possible(w) ? NULL : refuted;
    }
    delay_ns = tw_gap_ack_delay(w) - w->way.ack_late_ns;
    if (delay_ns < TW_DELAYED_ACK_NS || delay_ns >= TW_FORBIDDEN_DELAY_NS)
        return NULL;
    r->odds += TW_ODDS_POSSIBLE;
    return may_be_the_way(w, delay_ns) || had_queue(w, delay_ns) ? NULL
                                                                 : "the ACK was delayed by a timer";
}

const struct tw_hypothesis tw_hypothesis_nagle_hold = {
    TCPWHY_NAGLE_HOLD, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE | TW_NEEDS_PARTIAL, weigh
};
