/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include "explain/causes/hypothesis.h"

static bool weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = TCPWHY_PARTY_CLIENT;
    tw_release_behind_way(r, w);
    if (w->phase == TW_PHASE_TURN)
        return w->sender == TCPWHY_CLIENT;
    r->odds = TW_ODDS_RARE;
    return w->sender == TCPWHY_SERVER && tw_pause_may_be_turn(w);
}

const struct tw_hypothesis tw_hypothesis_client_think = { TCPWHY_CLIENT_THINK,
                                                          TW_NEEDS_AWAITED | TW_NEEDS_WAY, weigh };
