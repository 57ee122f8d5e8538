/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm waited for an ACK, and the receiver delayed that ACK: neither would have cost
 * anything alone.
 */
#include "explain/causes/nagle.h"

/* Away from the receiver: no timer is that long, or a queue on the way could be it all. */
static bool may_be_the_way(const struct tw_gap *w, tcpwhy_ns delay_ns)
{
    const struct tw_vantage *v = &w->context->vantage;

    return v->to_side_ns[tw_other(w->sender)] > 0 &&
           (delay_ns > TW_LONGEST_DELAYED_ACK_NS || delay_ns < v->rtt_min_ns);
}

/* A queue stood on the way back: half as long as the delay, or longer. Then one may have stood on
 * the way there, too. */
static bool had_queue(const struct tw_gap *w, tcpwhy_ns delay_ns)
{
    return 2 * w->ack_late_ns >= delay_ns;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    struct tw_claim held = *c;
    tcpwhy_ns delay_ns;

    if (!tw_nagle_fits(w) || !tw_held_by_nagle(w, &held))
        return false;
    delay_ns = tw_gap_ack_delay(w);
    if (delay_ns < TW_DELAYED_ACK_NS + w->ack_late_ns)
        return false;
    delay_ns -= w->ack_late_ns;
    if (delay_ns >= TW_FORBIDDEN_DELAY_NS) /* something else kept it */
        return false;
    *c = held;
    if (c->confidence == TCPWHY_CERTAIN && (may_be_the_way(w, delay_ns) || had_queue(w, delay_ns)))
        tw_claim_add_rival(c, TCPWHY_NAGLE_HOLD);
    return true;
}

const struct tw_detector tw_detect_nagle_delayed_ack = { TCPWHY_NAGLE_DELAYED_ACK, claim,
                                                         TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                             TW_NEEDS_PARTIAL | TW_NEEDS_LET_GO };
