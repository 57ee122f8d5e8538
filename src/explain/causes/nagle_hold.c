/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm held a partial segment for a round trip: the ACK came in its normal time.
 */
#include "explain/causes/nagle.h"

/* Without the handshake the fastest ACK shows that time, and all of them may have been delayed. */
static bool ack_may_be_delayed(const struct tw_wait *w)
{
    const struct tw_vantage *v = &w->scene->vantage;
    enum tcpwhy_side receiver = tw_other(w->sender);

    return v->answered_by[receiver] != TW_BY_SYN &&
           2 * v->to_side_ns[receiver] >= TW_DELAYED_ACK_NS;
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (!tw_nagle_fits(w) || !tw_held_by_nagle(w, c))
        return false;
    if (c->confidence == TCPWHY_CERTAIN && ack_may_be_delayed(w))
        tw_claim_doubt(c, TCPWHY_NAGLE_DELAYED_ACK);
    return true;
}

const struct tw_detector tw_detect_nagle_hold = {
    TCPWHY_NAGLE_HOLD, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_PARTIAL
};
