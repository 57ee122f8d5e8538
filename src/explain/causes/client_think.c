/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    tw_claim_behind_way(c, w);
    if (tw_gap_may_be_way(w))
        tw_claim_add_rival(c, tw_gap_rival_way(w));
    return true;
}

const struct tw_detector tw_detect_client_think = { TCPWHY_CLIENT_THINK, claim, TW_NEEDS_TURN };
