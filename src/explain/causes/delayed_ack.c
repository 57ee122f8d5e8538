/* SPDX-License-Identifier: MIT */
/*
 * The sender could not continue without an ACK, and the receiver held it back for one period of its
 * delayed-ACK timer (RFC 9293, 3.8.6.3; RFC 5681, 4.2).
 */
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/* The retransmitted data had arrived before, and passed here both times. */
static bool was_repeated_for_ack(const struct tw_gap *w)
{
    return !(w->busy && w->phase == TW_PHASE_MESSAGE) && w->episode->arrived &&
           !w->episode->unseen && !w->episode->first;
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    r->party = tw_party_of(tw_other(w->sender));
    /* Data that had arrived was retransmitted: its ACK was late. */
    r->odds = TW_ODDS_HINTED;
    if (w->episode)
        return was_repeated_for_ack(w) ? NULL : "the lost segment had not arrived";
    if (w->phase != TW_PHASE_MESSAGE || !w->before || !w->round)
        return "no segment of the message came before";
    r->key_record = w->send->moved_record;
    r->odds = TW_ODDS_HINTED;
    if (tw_gap_waited_for_timer(w)) {
        r->from_ns = r->to_ns - tw_gap_ack_hold(w);
        return NULL;
    }
    if (w->paused) {
        r->odds = TW_ODDS_POSSIBLE;
        return tw_pause_may_await_ack(w) && tw_gap_ack_was_held(w) ? NULL : "no late ACK let it go";
    }
    r->odds = TW_ODDS_SUSPECTED;
    return tw_gap_late_ack(w) == TW_ACK_MAYBE_DELAYED ||
                   (w->round->queue.standing && tw_gap_ack_joins(w))
               ? NULL
               : "the ACK before it was not late";
}

const struct tw_hypothesis tw_hypothesis_delayed_ack = { TCPWHY_DELAYED_ACK, TW_NEEDS_WAY, weigh };
