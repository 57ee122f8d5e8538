/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    tw_claim_behind_way(c, w);
    /* What nobody asked for looks like a late answer. */
    if (w->unasked || (w->guessed && c->to_ns - c->from_ns >= TW_QUIET_NS))
        tw_claim_add_rival(c, TCPWHY_CLIENT_IDLE);
    else if (tw_gap_may_be_way(w))
        tw_claim_add_rival(c, tw_gap_rival_way(w));
    return true;
}

const struct tw_detector tw_detect_client_think = { TCPWHY_CLIENT_THINK, claim, TW_NEEDS_TURN };
