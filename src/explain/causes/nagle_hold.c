/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm held a partial segment for a round trip: the ACK came in its normal time.
 */
#include <glib.h>

#include "explain/causes/nagle.h"
#include "explain/thresholds.h"

/* Without the handshake the fastest ACK shows that time, and all of them may have been delayed. */
static bool all_may_be_delayed(const struct tw_gap *w)
{
    const struct tw_vantage *v = &w->context->vantage;
    enum tcpwhy_side receiver = tw_other(w->sender);

    return v->answered_by[receiver] != TW_BY_SYN &&
           2 * v->to_side_ns[receiver] >= TW_DELAYED_ACK_NS;
}

/*
 * Most of the wait was the ACK's delay, and more than the way varies: so little may be a timer's,
 * too. One that ticks for all connections, as BSD's (tcp_fasttimo()) and those made after it, fires
 * at any moment of its period.
 */
static bool ack_may_be_delayed(const struct tw_gap *w)
{
    tcpwhy_ns late_ns = MAX(tw_gap_ack_delay(w), 0) - w->ack_late_ns; /* 0: unknown */

    return late_ns > MAX(TW_BUSY_HOST_NS, w->context->vantage.jitter_ns[tw_other(w->sender)]) &&
           2 * late_ns > w->to_ns - w->from_ns;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    if (!tw_nagle_fits(w) || !tw_held_by_nagle(w, c))
        return false;
    if (c->confidence == TCPWHY_CERTAIN && (all_may_be_delayed(w) || ack_may_be_delayed(w)))
        tw_claim_add_rival(c, TCPWHY_NAGLE_DELAYED_ACK);
    return true;
}

const struct tw_detector tw_detect_nagle_hold = { TCPWHY_NAGLE_HOLD, claim,
                                                  TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                      TW_NEEDS_PARTIAL | TW_NEEDS_LET_GO };
