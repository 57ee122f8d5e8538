/* SPDX-License-Identifier: MIT */
/*
 * The receive window had no room for this segment until an ACK moved its right edge, and the
 * segment left at once then.
 */
#include <glib.h>

#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

/*
 * Linux leaves room for a full segment unused while it waits for more, unless the next ACK is more
 * than half an RTT away (tcp_tso_should_defer()). No other sender does (RFC 9293, 3.8.6.2.1).
 */
static bool had_room(const struct tw_gap *w, tcpwhy_ns rtt)
{
    const struct tw_send *s = w->before;

    return s->edge != INT64_MAX && s->edge - s->end >= w->context->sends[w->sender].mss_bytes &&
           w->send->sent_ns - s->sent_ns > rtt / 2;
}

/* Linux keeps no more than this back to send it at once: less than a part of the window, and than
 * what its pacing, at twice the flight a round trip in slow start, sends in a millisecond
 * (tcp_tso_should_defer(), tcp_tso_autosize()). */
static int64_t deferred_bytes(const struct tw_gap *w, tcpwhy_ns rtt)
{
    const int64_t window = w->round->window_bytes, mss = w->context->sends[w->sender].mss_bytes;
    const double paced = 2.0 * (double)window * (double)TCPWHY_MS(1) / (double)MAX(rtt, 1);

    return MAX(mss, MIN(window / TW_TSO_WIN_DIVISOR,
                        MAX(TW_PACE_SEGMENTS * mss, (int64_t)MIN(paced, (double)window))));
}

/* Away from the sender the window that it knew is not known as well. */
static int64_t doubtful_bytes(const struct tw_gap *w)
{
    return MAX(w->context->sends[w->sender].mss_bytes, w->round->window_bytes / TW_TSO_WIN_DIVISOR);
}

/* Was as much of the window unused, not only between two segments of a burst? Then another limit
 * held the segment. */
static bool left_room(const struct tw_gap *w, int64_t bytes)
{
    const struct tw_send *s = w->before;

    return s->edge != INT64_MAX && w->to_ns - w->from_ns > TW_KERNEL_NS &&
           s->edge - s->end >= bytes;
}

/* The ACK that moved the edge was late: on a shorter path the window would have opened sooner. */
static bool came_late(const struct tw_gap *w, tcpwhy_ns rtt)
{
    return TCPWHY_MS(w->send->ack_late_ms) / 2 > tw_queue_shows_ns(rtt);
}

/* After a pause: the window had no room before an ACK that came later than the one-way delays
 * explain; or the room is unknown and more data was queued. */
static bool is_possible(const struct tw_gap *w)
{
    if (w->phase == TW_PHASE_MESSAGE)
        return w->paused && tw_send_lacked_room(w->send) &&
               tw_pause_lag_is_way(w, w->context->vantage.rtt_min_ns);
    return w->phase == TW_PHASE_IDLE && !tw_gap_queue_was_empty(w) &&
           w->context->log->record[w->first_record].from == (uint8_t)w->sender &&
           w->context->connection->side[tw_other(w->sender)].wscale == TW_WSCALE_UNKNOWN &&
           !w->context->sends[w->sender].wscale_inferred;
}

/* The window may be the ceiling of a flat flight whose size nothing else explains. */
static bool may_be_the_ceiling(const struct tw_gap *w)
{
    return !tw_gap_knows_window(w) && w->phase == TW_PHASE_MESSAGE &&
           (w->ack_clocked || w->round->window_full);
}

/* Did the edge let the segment go? *surely: the edge itself did, not only its rule over the
 * round. */
static bool was_held(const struct tw_gap *w, bool *surely)
{
    tcpwhy_ns rtt = tw_min_rtt_ns(&w->context->vantage);
    bool blocked = w->lacks_room || tw_send_was_blocked(w->send, rtt);
    /* Between segments of one burst the window is not at its edge, but it limits the round. */
    bool short_pause = w->to_ns - w->from_ns <= tw_prompt_ns(rtt);
    const bool away = w->context->vantage.to_side_ns[w->sender] > 0;

    *surely = true;
    if (w->send->is & TW_SEND_REPEAT || w->has_room ||
        (w->round->queue.at_window && w->round->queue.standing))
        return false;
    if (blocked || tw_gap_fills_remainder(w))
        return true;
    if (!w->round->window_full || left_room(w, away ? doubtful_bytes(w) : deferred_bytes(w, rtt)) ||
        (!w->ack_clocked && !short_pause))
        return false;
    /* Away from the sender it is less sure when it learnt of the room. */
    *surely = (short_pause || !had_room(w, rtt)) && !left_room(w, deferred_bytes(w, rtt));
    return *surely || away;
}

/* The window's edge is inferred; or everything written before had left, and nothing shows since
 * when the window held the rest. */
static bool is_inferred(const struct tw_gap *w)
{
    return w->context->sends[w->sender].wscale_inferred == TW_INFERRED_LIKELY ||
           (tw_gap_queue_was_empty(w) &&
            (w->send->edge == INT64_MAX ||
             (w->before->end != w->before->edge && !tw_gap_fills_remainder(w))));
}

/* The first segment of an answer is a full one, had no room since the request arrived, and left as
 * soon as it had: until then its sender left a window of less than a segment unused (silly-window
 * avoidance, RFC 9293, 3.8.6.2.1). */
static bool began_with_room(const struct tw_gap *w)
{
    const struct tw_vantage *v = &w->context->vantage;
    const struct tw_send *s = w->send;
    const tcpwhy_ns asked_ns = w->from_ns + v->to_side_ns[w->sender];

    return w->phase == TW_PHASE_TURN && s && w->context->sends[w->sender].heard &&
           !(s->is & (TW_SEND_PARTIAL | TW_SEND_REPEAT | TW_SEND_CLOSED)) &&
           s->allowed_ns != TCPWHY_NS_UNKNOWN && s->allowed_ns > asked_ns + TW_SHORT_NS &&
           s->sent_ns - s->allowed_ns <= tw_sender_timeline_at_once(v, w->sender);
}

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    bool surely;

    if (began_with_room(w)) {
        r->party = tw_party_of(tw_other(w->sender));
        r->key_record = w->send->moved_record;
        r->odds = TW_ODDS_DOUBTED;
        tw_release_behind_way(r, w);
        return NULL;
    }
    if (!w->before || !w->round)
        return "no segment of the message came before";
    r->party = tw_party_of(tw_other(w->sender));
    if (w->phase == TW_PHASE_MESSAGE && was_held(w, &surely)) {
        r->key_record = w->send->moved_record;
        /* The size of a window that was closed tells nothing. */
        r->odds = w->send->is & TW_SEND_CLOSED ? TW_ODDS_SHOWN : TW_ODDS_PROVEN - TW_ODDS_DOUBTED;
        if (!surely || w->round->queue.at_window ||
            came_late(w, tw_min_rtt_ns(&w->context->vantage)) || is_inferred(w))
            r->odds = TW_ODDS_DOUBTED;
        if (tw_gap_is_initial_window(w))
            r->odds = TW_ODDS_SUSPECTED;
        return NULL;
    }
    r->odds = TW_ODDS_POSSIBLE;
    if (is_possible(w))
        return NULL;
    r->odds = TW_ODDS_SUSPECTED;
    return may_be_the_ceiling(w) ? NULL : "the receive window had room";
}

const struct tw_hypothesis tw_hypothesis_receive_window_limited = { TCPWHY_RECEIVE_WINDOW_LIMITED,
                                                                    TW_NEEDS_WHOLE, weigh };
