/* SPDX-License-Identifier: MIT */
/*
 * No request is open: nobody has asked for anything, and nobody waits.
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* An unsolicited message looks like a late answer; when both sides talk, it is not known who
 * waits. */
static bool may_be_unasked(const struct tw_gap *w, const struct tw_release *r)
{
    if (w->turn.at_once && w->sender == TCPWHY_SERVER && r->to_ns - r->from_ns > TW_SHORT_NS)
        return true;
    if (w->phase == TW_PHASE_TURN)
        return w->turn.unasked || (w->turn.guessed && r->to_ns - r->from_ns >= TW_QUIET_NS);
    return w->phase == TW_PHASE_MESSAGE && w->turn.guessed &&
           (w->turn.steady || (tw_pause_ends_message(w) && tw_pause_ns(w) >= TW_QUIET_NS));
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = TCPWHY_PARTY_CLIENT;
    tw_release_behind_way(r, w);
    if (w->phase == TW_PHASE_IDLE)
        return NULL;
    /* what happens when it likes is told when it has happened */
    if (w->turn.live && w->paused) {
        r->odds = TW_ODDS_DOUBTED;
        return NULL;
    }
    r->odds = TW_ODDS_POSSIBLE;
    if (may_be_unasked(w, r))
        return NULL;
    r->odds = TW_ODDS_RARE;
    if (w->phase == TW_PHASE_MESSAGE && tw_pause_may_be_whole(w))
        return NULL;
    return w->phase == TW_PHASE_MESSAGE ? "a message was open" : "a request was open";
}

const struct tw_hypothesis tw_hypothesis_client_idle = { TCPWHY_CLIENT_IDLE, TW_NEEDS_WAY, weigh };
