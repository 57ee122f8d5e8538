/* SPDX-License-Identifier: MIT */
#include "explain/timeline/pause.h"

#include <glib.h>

#include "explain/path/cross_traffic.h"
#include "explain/vantage/ip_id.h"
#include "explain/thresholds.h"

/* Gaps shorter than this are no pause. */
static tcpwhy_ns least_ns(const struct tw_gap *w)
{
    return MAX(TW_SHORT_NS, w->context->vantage.rtt_min_ns / TW_PAUSE_SHARE);
}

/* A writer blocked on a full send buffer is woken when it has room, and writes at once. */
static bool had_room(const struct tw_gap *w)
{
    return w->flight_empty && w->since_ack_ns >= least_ns(w) && !tw_pause_left_more(w);
}

/* An ACK let what was queued go at a moment that chance rarely hits, whatever clock its sender
 * keeps. */
static bool is_released(const struct tw_gap *w)
{
    return w->ack_clocked && tw_gap_is_soon(w) && !tw_gap_queue_was_empty(w) &&
           w->since_ack_ns <= tw_burst_ns(&w->context->vantage);
}

bool tw_pause_keeps_clock(const struct tw_gap *w)
{
    return w->round->flat.own_clock && !had_room(w) && !is_released(w);
}

/* The bottleneck's queue is not empty yet, and the path carries all that it can. */
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
    /* with data in flight cwnd may have been full: surely after a loss */
    return w->flight_empty || !tw_gap_after_loss(w) || tw_gap_fits_any_window(w);
}

bool tw_pause_left_more(const struct tw_gap *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) && !(tw_gap_record(w, w->before)->flags & TW_PSH);
}

/* A segment with PSH, or a partial one, may end the message: a push, a heartbeat. */
bool tw_pause_ends_message(const struct tw_gap *w)
{
    return w->before && w->round && !tw_pause_left_more(w);
}

/* A full initial window at once (RFC 6928) is part of something long. */
static bool may_end_turn(const struct tw_gap *w)
{
    const int64_t much = TW_INITIAL_SEGMENTS * (int64_t)w->context->sends[w->sender].mss_bytes;

    return w->turn.in_turns && tw_pause_ends_message(w) && w->to_ns - w->from_ns > TW_SHORT_NS &&
           w->round->flight_bytes < much;
}

/* Events are sent as they happen, also by a sender that follows a clock of its own. */
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
 * Away from the sender, a segment may have been lost before the vantage, and what passes after a
 * timer may be its retransmission, unless the next IP ID shows that nothing was sent in between.
 * More was queued behind a full segment without PSH; behind one with PSH usually too, in a message
 * that its protocol says continues: senders set PSH within long messages (Linux: tcp_mark_push()).
 */
bool tw_pause_may_be_repair(const struct tw_gap *w)
{
    return is_remote(w) && tw_pause_ns(w) >= TW_RTO_SEEN_NS && !(w->before->is & TW_SEND_PARTIAL) &&
           (!w->turn.guessed || tw_pause_left_more(w)) &&
           !tw_ip_id_continues(tw_gap_record(w, w->before), tw_gap_record(w, w->send),
                               w->context->sends[w->sender].mss_bytes);
}

/* No cwnd is smaller than this (RFC 5681, 3.1: it begins with two segments). */
static bool may_fill_window(const struct tw_gap *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_seq(w->send) - w->send->acked >=
               2 * (int64_t)w->context->sends[w->sender].mss_bytes;
}

/* Was no data acknowledged during most of the pause? */
static bool was_told_late(const struct tw_gap *w, tcpwhy_ns pause)
{
    const struct tw_record *before = tw_gap_record(w, w->before), *r = before + 1,
                           *sent = tw_gap_record(w, w->send);

    while (r < sent && (r->from == sent->from || r->ack <= w->before->acked))
        r++;
    return 2 * (r->time_ns - before->time_ns) >= pause;
}

/*
 * As many full segments as were ever in flight, or fewer after a loss, waited for one ACK, which
 * came late in the pause. cwnd may have been full until then, and other connections' segments may
 * have delayed what followed; away from the sender, its path may have taken up to an RTT more. PSH
 * is no evidence: Linux 2.2 set it on every segment.
 */
static bool may_have_filled_window(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    int64_t flight = tw_send_flight(w->before);

    return (!is_remote(w) || tw_pause_lag_is_way(w, rtt)) && !(w->before->is & TW_SEND_PARTIAL) &&
           flight >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes &&
           (flight >= w->round->most_bytes || tw_gap_after_loss(w)) && was_told_late(w, pause);
}

/* More data may have waited for late ACKs: late on their way to the vantage, or from it to the
 * sender, whose RTO would have shown in time. */
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
 * Does the segment echo the timestamp of an ACK that the capture holds after it (RFC 7323, 4.3),
 * and of none before? Then that ACK arrived first and may have released it.
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
 * An ACK should have reached the sender and had not: the segment echoes an older one
 * (sender_acks.c). It may have arrived a moment before, if the host is further away than the one-
 * way delays say.
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
 * Away from the sender and without its clock, the minimum delay stands for every frame's. Paths
 * that vary by an RTT exist (Wi-Fi, mobile, queues of other traffic): within one more RTT an ACK
 * may have released the segment, unless it only emptied the flight. The sender's clock shows
 * nothing of the path to it, on which the ACK may have queued behind its host's other connections.
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
