/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the server had not begun its answer.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The request may be open although nobody seems to have asked, or the client itself continues, or
 * both sides talk. */
static bool may_be_asked(const struct tw_gap *w, const struct tw_release *r)
{
    if (w->turn.at_once && (w->phase == TW_PHASE_IDLE || w->sender == TCPWHY_CLIENT) &&
        r->to_ns - r->from_ns > TW_SHORT_NS)
        return true;
    return w->phase == TW_PHASE_IDLE && w->turn.unasked;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = TCPWHY_PARTY_SERVER;
    tw_release_behind_way(r, w);
    if (w->phase == TW_PHASE_TURN && w->sender == TCPWHY_SERVER)
        return NULL;
    r->odds = TW_ODDS_POSSIBLE;
    if (may_be_asked(w, r))
        return NULL;
    r->odds = TW_ODDS_RARE;
    return w->sender == TCPWHY_CLIENT && tw_pause_may_be_turn(w)
               ? NULL
               : "it was not the server's turn to begin an answer";
}

const struct tw_hypothesis tw_hypothesis_server_think = { TCPWHY_SERVER_THINK, TW_NEEDS_WAY,
                                                          weigh };
