/* SPDX-License-Identifier: MIT */
/*
 * The sender was silent for longer than an RTO, and its congestion window began anew
 * (RFC 5681, 4.1; RFC 2861; tcp_slow_start_after_idle).
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    const struct tw_round *r = w->round;

    if (r->standing_queue || tw_wait_fits_any_window(w))
        return false;
    c->party = tw_party_of(w->sender);
    tw_claim_doubt(c, TCPWHY_SLOW_START);
    return true;
}

const struct tw_detector tw_detect_slow_start_after_idle = {
    TCPWHY_SLOW_START_AFTER_IDLE, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_RESTART
};
