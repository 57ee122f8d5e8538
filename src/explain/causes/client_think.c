/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    tw_claim_behind_way(c, w);
    if (tw_wait_may_be_way(w))
        tw_claim_doubt(c, tw_wait_rival_way(w));
    return true;
}

const struct tw_detector tw_detect_client_think = { TCPWHY_CLIENT_THINK, claim, TW_NEEDS_TURN };
