/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm waited for an ACK that the receiver delayed. Neither alone would have cost
 * anything.
 */
#include "explain/causes/nagle.h"
#include "explain/thresholds.h"

/* Without the handshake the fastest ACK is the only measure of an ACK's normal time, and all of
 * them may have been delayed. */
static bool all_may_be_delayed(const struct tw_gap *w)
{
    const struct tw_vantage *v = &w->context->vantage;
    enum tcpwhy_side receiver = tw_other(w->sender);

    return v->answered_by[receiver] != TW_BY_SYN &&
           2 * v->to_side_ns[receiver] >= TW_DELAYED_ACK_NS;
}

/*
 * The ACK's delay was most of the gap, and more than the path varies by: a timer may be that short.
 * A timer that ticks for all connections, as in BSD (tcp_fasttimo()) and its descendants, fires at
 * any moment of its period.
 */
static bool may_be_ticking(const struct tw_gap *w, tcpwhy_ns late_ns)
{
    tcpwhy_ns jitter_ns = w->context->vantage.jitter_ns[tw_other(w->sender)];

    return late_ns > TW_BUSY_HOST_NS && late_ns > jitter_ns && 2 * late_ns > w->to_ns - w->from_ns;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const char *refuted = tw_nagle_weigh(w, r);
    tcpwhy_ns delay_ns;

    if (refuted) {
        r->odds = TW_ODDS_POSSIBLE;
        return tw_nagle_is_possible(w) && tw_pause_ns(w) >= TW_DELAYED_ACK_NS &&
                       !(tw_gap_is_soon(w) && !tw_pause_may_be_held(w))
                   ? NULL
                   : refuted;
    }
    delay_ns = tw_gap_ack_delay(w) - w->way.ack_late_ns;
    if (delay_ns >= TW_FORBIDDEN_DELAY_NS) /* longer than any delayed-ACK timer */
        return "the ACK came later than a delayed one may";
    if (delay_ns >= TW_DELAYED_ACK_NS) { /* as long as a timer's */
        r->odds += TW_ODDS_HINTED;
        return NULL;
    }
    r->odds += TW_ODDS_POSSIBLE;
    return all_may_be_delayed(w) || may_be_ticking(w, delay_ns) ? NULL : "the ACK was not delayed";
}

const struct tw_hypothesis tw_hypothesis_nagle_delayed_ack = {
    TCPWHY_NAGLE_DELAYED_ACK,
    TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE | TW_NEEDS_PARTIAL, weigh
};
