/* SPDX-License-Identifier: MIT */
/*
 * The sender was silent for longer than an RTO, and its congestion window began anew
 * (RFC 5681, 4.1; RFC 2861; tcp_slow_start_after_idle).
 */
#include "explain/causes/detector.h"

/* Was its window larger before? Of a connection whose beginning is not here that is not known. */
static bool had_less(const struct tw_gap *w)
{
    return w->context->connection->side[w->sender].syn &&
           w->round->idle_bytes <= w->round->flight_bytes;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    if (w->round->standing_queue || had_less(w) || tw_gap_fits_any_window(w))
        return false;
    c->party = tw_party_of(w->sender);
    tw_claim_add_rival(c, TCPWHY_SLOW_START);
    return true;
}

const struct tw_detector tw_detect_slow_start_after_idle = {
    TCPWHY_SLOW_START_AFTER_IDLE, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_RESTART
};
