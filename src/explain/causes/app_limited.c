/* SPDX-License-Identifier: MIT */
/*
 * Every window had room and data of the message was still to come, yet nothing was sent: the
 * application wrote late.
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The message may not have ended before the gap: only turns separate the server's answers, or the
 * client asks again or closes before it was answered, or the capture ended first. */
static bool may_be_a_pause(const struct tw_gap *w)
{
    if (w->turn.cut)
        return true;
    if (w->phase != TW_PHASE_IDLE)
        return false;
    if (w->turn.asks || w->turn.closes)
        return true;
    return w->turn.guessed && w->send && w->sender == TCPWHY_SERVER &&
           w->to_ns - w->from_ns >= TW_QUIET_NS &&
           w->context->log->record[w->first_record].from == TCPWHY_SERVER;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = tw_party_of(w->sender);
    if (w->phase != TW_PHASE_MESSAGE) {
        r->odds = TW_ODDS_POSSIBLE;
        return may_be_a_pause(w) ? NULL : "not within a message";
    }
    r->to_ns = CLAMP(w->way.due_ns, w->from_ns, w->to_ns);
    r->odds = TW_ODDS_LET_GO;
    if (!w->before || !w->round)
        return NULL;
    /* If an ACK let the segment go, the program had written before that. */
    if (w->paused || w->round->flat.own_clock)
        r->odds = TW_ODDS_PROGRAM;
    else if (tw_gap_may_be_serialisation(w))
        r->odds = TW_ODDS_RARE;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_app_limited = { TCPWHY_APP_LIMITED, TW_NEEDS_WAY, weigh };
