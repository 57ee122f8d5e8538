/* SPDX-License-Identifier: MIT */
/*
 * A partial segment was corked (TCP_CORK, MSG_MORE) and left when Linux's probe timer fired: the
 * retransmission timeout after the last event, 200 ms plus the smoothed round trip
 * (tcp_check_probe_timer(), tcp_probe0_base()). A program that thinks for 200 ms leaves out the
 * round trip, and does not keep to the ticks of the kernel's timer.
 */
#include "explain/wait.h"

#define HOLD_NS TW_ASKED_NS

/* Timers fire on the next tick but one at the latest: 10 ms ticks at HZ=100. */
#define TICKS_NS TCPWHY_MS(20)

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    const struct tw_vantage *v = &w->scene->vantage;
    tcpwhy_ns held = w->to_ns - w->from_ns - w->wire_ns;

    if (v->rtt_min_ns == TCPWHY_NS_UNKNOWN)
        return false;
    if (w->phase == TW_PHASE_MESSAGE)
        held = w->lag_ns;
    if (held < HOLD_NS + v->rtt_min_ns * 3 / 4 || held > HOLD_NS + v->rtt_max_ns + TICKS_NS)
        return false;
    if (!w->scene->ticks[w->sender])
        return false;
    c->party = tw_party_of(w->sender);
    tw_claim_behind_way(c, w);
    tw_claim_doubt(c, w->phase == TW_PHASE_TURN && w->sender == TCPWHY_SERVER ? TCPWHY_SERVER_THINK
                                                                              : TCPWHY_APP_LIMITED);
    return true;
}

const struct tw_detector tw_detect_cork_hold = {
    TCPWHY_CORK_HOLD, claim, TW_NEEDS_AWAITED | TW_NEEDS_PARTIAL | TW_NEEDS_DRAINED
};
