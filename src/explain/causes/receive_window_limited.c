/* SPDX-License-Identifier: MIT */
/*
 * The receiver's window had no room for this segment until an ACK moved its edge, and the segment
 * left at once then.
 */
#include "explain/causes/detector.h"

/*
 * Linux leaves room for a full segment unused while it waits for more, but not where the next ACK
 * is more than half a round trip away (tcp_tso_should_defer()); nobody else does (RFC 9293,
 * 3.8.6.2.1).
 */
static bool had_room(const struct tw_gap *w, tcpwhy_ns rtt)
{
    const struct tw_send *s = w->before;

    return s->edge != INT64_MAX && s->edge - s->end >= w->context->sends[w->sender].mss_bytes &&
           w->send->sent_ns - s->sent_ns > rtt / 2;
}

/* What moved the edge surely was late: on a shorter way the window would have opened sooner. */
static bool came_late(const struct tw_gap *w, tcpwhy_ns rtt)
{
    return TCPWHY_MS(w->send->ack_late_ms) / 2 > tw_queue_shows_ns(rtt);
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const struct tw_send *s = w->send;
    tcpwhy_ns rtt = tw_min_rtt_ns(&w->context->vantage);

    if (s->is & TW_SEND_REPEAT || (w->round->window_queues && w->round->standing_queue))
        return false;

    bool blocked = tw_send_was_blocked(s, rtt);

    /* Between the segments of one burst the window is not at its edge, but it rules the round. */
    bool short_pause = w->to_ns - w->from_ns <= tw_prompt_ns(rtt);

    if (!blocked && !tw_gap_fills_remainder(w)) {
        if (!w->round->window_full || (!w->ack_clocked && !short_pause))
            return false;
        if (!short_pause && had_room(w, rtt)) {
            if (w->context->vantage.to_side_ns[w->sender] == 0)
                return false;
            /* When it heard of the room is not that sure. */
            tw_claim_add_rival(c, TCPWHY_CONGESTION_WINDOW_LIMITED);
        }
    }
    if (w->round->window_queues || came_late(w, rtt))
        tw_claim_add_rival(c, TCPWHY_BANDWIDTH_LIMITED);
    else if (w->context->sends[w->sender].wscale_inferred == TW_INFERRED_LIKELY)
        tw_claim_add_rival(c, TCPWHY_SEND_BUFFER_LIMITED);
    c->party = tw_party_of(tw_other(w->sender));
    c->key_record = s->moved_record;
    /* Where the window ended is inferred, and all that was written before had left. */
    if (!blocked && s->edge == INT64_MAX && tw_gap_queue_was_empty(w))
        tw_claim_add_rival(c, w->guessed ? TCPWHY_CLIENT_IDLE : TCPWHY_APP_LIMITED);
    return true;
}

const struct tw_detector tw_detect_receive_window_limited = {
    TCPWHY_RECEIVE_WINDOW_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WINDOW
};
