/* SPDX-License-Identifier: MIT */
#include "explain/timeline/pause.h"

#include <glib.h>

#include "explain/path/cross_traffic.h"
#include "explain/vantage/ip_id.h"
#include "explain/thresholds.h"

/* A shorter one is no pause. */
static tcpwhy_ns least_ns(const struct tw_gap *w)
{
    return MAX(TW_SHORT_NS, w->context->vantage.rtt_min_ns / TW_PAUSE_SHARE);
}

/* A writer that had no room in the send buffer is woken when that is empty, and writes at once. */
static bool had_room(const struct tw_gap *w)
{
    return w->flight_empty && w->since_ack_ns >= least_ns(w) && !tw_pause_left_more(w);
}

bool tw_pause_keeps_clock(const struct tw_gap *w)
{
    return w->round->flat.own_clock && !had_room(w);
}

/* The queue that stands at the bottleneck is not over yet, and the path carries all that it can. */
static bool path_is_busy(const struct tw_gap *w)
{
    return w->round->queue.standing && !w->flight_empty &&
           tw_pause_ns(w) <= w->context->vantage.rtt_min_ns + w->round->queue_ns;
}

bool tw_pause_is(const struct tw_gap *w)
{
    if (w->phase != TW_PHASE_MESSAGE || !w->before || !w->round || (w->send->is & TW_SEND_REPEAT) ||
        path_is_busy(w))
        return false;
    if (tw_pause_keeps_clock(w))
        return !w->round->flat.at_capacity;
    if (tw_pause_ns(w) < least_ns(w) || (w->ack_clocked && !tw_gap_is_own_pause(w)))
        return false;
    /* With data in flight the congestion window may be what was full: surely after a loss. */
    return w->flight_empty || !tw_gap_after_loss(w) || tw_gap_fits_any_window(w);
}

bool tw_pause_left_more(const struct tw_gap *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) && !(tw_gap_record(w, w->before)->flags & TW_PSH);
}

/* A segment that is pushed, or less than full, may end the message: a push, a heartbeat. */
bool tw_pause_ends_message(const struct tw_gap *w)
{
    return w->before && w->round && !tw_pause_left_more(w);
}

/* An initial window at once (RFC 6928) is a part of something long. */
static bool may_end_turn(const struct tw_gap *w)
{
    const int64_t much = TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;

    return w->turn.in_turns && tw_pause_ends_message(w) && w->to_ns - w->from_ns > TW_SHORT_NS &&
           w->round->flight_bytes < much;
}

/* Events come as they happen, too, where the sender keeps to a clock of its own. */
bool tw_pause_may_be_whole(const struct tw_gap *w)
{
    return (may_end_turn(w) && !w->turn.asks) ||
           (w->turn.guessed && tw_pause_ends_message(w) && w->round->flat.own_clock);
}

bool tw_pause_may_be_turn(const struct tw_gap *w)
{
    return w->phase == TW_PHASE_MESSAGE && w->turn.asks && may_end_turn(w);
}

static bool is_remote(const struct tw_gap *w)
{
    return w->context->vantage.to_side_ns[w->sender] > 0;
}

bool tw_pause_lag_is_way(const struct tw_gap *w, tcpwhy_ns rtt_varies_ns)
{
    return is_remote(w) && w->since_ack_ns != TCPWHY_NS_UNKNOWN &&
           w->since_ack_ns <= rtt_varies_ns &&
           w->send->sent_ns - w->since_ack_ns > w->before->sent_ns;
}

/*
 * Away from the sender more may have been lost before it passed, and what passes after a timer be
 * its repair, unless the next identification says that nothing was sent between. More stood behind
 * a full segment that was not pushed; and behind one that was, as a rule, in a message that a
 * protocol says to go on: senders push within long ones (Linux: tcp_mark_push()).
 */
bool tw_pause_may_be_repair(const struct tw_gap *w)
{
    return is_remote(w) && tw_pause_ns(w) >= TW_RTO_SEEN_NS && !(w->before->is & TW_SEND_PARTIAL) &&
           (!w->turn.guessed || tw_pause_left_more(w)) &&
           !tw_ip_id_continues(tw_gap_record(w, w->before), tw_gap_record(w, w->send),
                               w->context->sends[w->sender].mss_bytes);
}

/* No congestion window is smaller than this (RFC 5681, 3.1: it begins with two segments). */
static bool may_fill_window(const struct tw_gap *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_seq(w->send) - w->send->acked >=
               2 * (int64_t)w->context->sends[w->sender].mss_bytes;
}

/* Was nothing acknowledged for most of the pause? */
static bool was_told_late(const struct tw_gap *w, tcpwhy_ns pause)
{
    const struct tw_record *before = tw_gap_record(w, w->before), *r = before + 1,
                           *sent = tw_gap_record(w, w->send);

    while (r < sent && (r->from == sent->from || r->ack <= w->before->acked))
        r++;
    return 2 * (r->time_ns - before->time_ns) >= pause;
}

/*
 * As many full segments as were ever out, or after a loss fewer, waited for one ACK, and that came
 * late in the pause. The congestion window may have been full until then, and others' segments have
 * stood before what followed; away from the sender the way there may have taken up to a round trip
 * more. What is pushed tells nothing: Linux 2.2 pushed every segment.
 */
static bool may_have_filled_window(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    int64_t flight = tw_send_flight(w->before);

    return (!is_remote(w) || tw_pause_lag_is_way(w, rtt)) && !(w->before->is & TW_SEND_PARTIAL) &&
           flight >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes &&
           (flight >= w->round->most_bytes || tw_gap_after_loss(w)) && was_told_late(w, pause);
}

/* More may have waited for ACKs that were late: on their way to us, or from us to the sender, whose
 * timer would have shown in time. */
static bool awaits_late_ack(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    if (!w->flight_empty)
        return may_fill_window(w);
    return may_have_filled_window(w, pause, rtt) ||
           (is_remote(w) && tw_pause_left_more(w) && pause < TW_INITIAL_RTO_NS);
}

bool tw_pause_may_be_woken(const struct tw_gap *w)
{
    return w->since_ack_ns != TCPWHY_NS_UNKNOWN &&
           w->since_ack_ns <= tw_pause_ns(w) / TW_SOON_SHARE;
}

/*
 * Does the segment echo the timestamp of an ACK that the capture holds behind it (RFC 7323, 4.3),
 * and of nothing before it? Then that came first, and may have let it go.
 */
bool tw_pause_echoes_what_follows(const struct tw_gap *w)
{
    const struct tw_log *log = w->context->log;
    const struct tw_record *sent = tw_gap_record(w, w->send), *end = log->record + log->n;
    const struct tw_record *heard =
        w->send->ack_record == TW_NO_RECORD ? NULL : &log->record[w->send->ack_record];

    if (!(sent->options & TW_OPT_TIMESTAMP) || (heard && heard->tsval == sent->tsecr))
        return false;
    for (const struct tw_record *r = sent + 1;
         r < end && r - sent <= TW_NEAR_RECORDS && r->time_ns - sent->time_ns <= TW_SHORT_NS; r++)
        if (r->from != sent->from && r->options & TW_OPT_TIMESTAMP && r->tsval == sent->tsecr &&
            r->ack > w->send->acked)
            return true;
    return false;
}

/*
 * An ACK should have come to the sender by then, and had not: the segment echoes an older one
 * (sender_acks.c). Who hears late, as a host that is not where the ways say, may have heard that a
 * moment ago.
 */
static bool hears_late(const struct tw_gap *w)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *r, *end;
    tcpwhy_ns due_ns = w->send->sent_ns - w->context->vantage.to_side_ns[w->sender] -
                       tw_sender_timeline_at_once(&w->context->vantage, w->sender);

    if (w->send->ack_record == TW_NO_RECORD)
        return false;
    r = &w->context->log->record[w->send->ack_record + 1];
    for (end = r + MIN(sent - r, TW_NEAR_RECORDS); r < end; r++)
        if (r->from != sent->from && r->ack > w->send->acked)
            return r->time_ns < due_ns;
    return false;
}

bool tw_pause_may_be_held(const struct tw_gap *w)
{
    const struct tw_sender_timeline *x = &w->context->sends[w->sender];

    return !w->flight_empty && x->held >= TW_OFTEN && tw_sender_timeline_hold(x) &&
           (w->before->is & w->send->is & TW_SEND_PARTIAL);
}

bool tw_pause_may_have_heard_all(const struct tw_gap *w)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *before = tw_gap_record(w, w->before);

    if (w->flight_empty || !is_remote(w))
        return false;
    for (const struct tw_record *r = sent - 1; r > before; r--)
        if (r->from != sent->from && r->ack >= tw_send_seq(w->send))
            return tw_sender_timeline_hold(&w->context->sends[w->sender]);
    return false;
}

/*
 * Away from the sender, and without its clock, the shortest way stands for each frame's. Ways that
 * vary by a round trip are not unheard of (Wi-Fi, mobile, the queues of others): within one more an
 * ACK may have let the segment go, if there was one that did not only empty the queue. The sender's
 * clock tells nothing of the way there, on which the ACK may have stood behind what its host sends
 * by other connections.
 */
static bool may_be_released(const struct tw_gap *w, tcpwhy_ns rtt)
{
    tcpwhy_ns late_ns = tw_cross_traffic_delay_ns(w, tw_other(w->sender));

    if (!w->context->sends[w->sender].queues_seen)
        late_ns = MAX(late_ns, rtt);
    return tw_pause_lag_is_way(w, late_ns) && !tw_gap_queue_was_empty(w);
}

bool tw_pause_may_await_ack(const struct tw_gap *w)
{
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns;

    if (!w->flight_empty && (rtt == TCPWHY_NS_UNKNOWN || tw_pause_ns(w) < rtt))
        return true;
    return awaits_late_ack(w, tw_pause_ns(w), rtt) || may_be_released(w, rtt) || hears_late(w) ||
           (tw_pause_may_be_woken(w) && !(w->before->is & TW_SEND_PARTIAL));
}
