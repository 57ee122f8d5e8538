/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = TCPWHY_PARTY_CLIENT;
    tw_release_behind_way(r, w);
    if (w->phase == TW_PHASE_TURN && w->sender == TCPWHY_CLIENT)
        return NULL;
    r->odds = TW_ODDS_RARE;
    if (w->phase != TW_PHASE_TURN && w->sender == TCPWHY_SERVER && tw_pause_may_be_turn(w))
        return NULL;
    return "it was not the client's turn to begin an answer";
}

const struct tw_hypothesis tw_hypothesis_client_think = { TCPWHY_CLIENT_THINK,
                                                          TW_NEEDS_AWAITED | TW_NEEDS_WAY, weigh };
