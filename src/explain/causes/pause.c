/* SPDX-License-Identifier: MIT */
#include "explain/causes/pause.h"

#include <glib.h>

#include "explain/path/cross_traffic.h"
#include "explain/causes/nagle.h"
#include "explain/vantage/ip_id.h"
#include "explain/thresholds.h"

bool tw_pause_left_more(const struct tw_gap *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) && !(tw_gap_record(w, w->before)->flags & TW_PSH);
}

/*
 * Was what came before the pause a whole message? Where only turns tell, one that was pushed, or
 * ends with less than a segment, is as likely one that asks for nothing: the end of what was before
 * it, a push, a heartbeat; events that come as they happen, where the sender keeps to a clock of
 * its own.
 */
static bool may_be_whole(const struct tw_gap *w, tcpwhy_ns pause)
{
    return w->guessed && (pause >= TW_QUIET_NS || w->round->own_clock) && !tw_pause_left_more(w);
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

/* Away from the sender: what goes again though it was acknowledged here lacked that ACK. */
static bool lacked_ack(const struct tw_gap *w)
{
    return is_remote(w) && w->before->is & TW_SEND_SPURIOUS;
}

/*
 * Away from the sender more may have been lost before it passed, and what passes after a timer be
 * its repair, unless the next identification says that nothing was sent between. More stood behind
 * a full segment that was not pushed; and behind one that was, as a rule, in a message that a
 * protocol says to go on: senders push within long ones (Linux: tcp_mark_push()).
 */
bool tw_pause_may_be_repair(const struct tw_gap *w, tcpwhy_ns pause)
{
    return is_remote(w) && pause >= TW_RTO_SEEN_NS && !(w->before->is & TW_SEND_PARTIAL) &&
           (!w->guessed || tw_pause_left_more(w)) &&
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

/* At the sender: behind a full segment its link, as it seems, carried all that it can, others'
 * segments among it. */
static bool may_await_link(const struct tw_gap *w)
{
    const enum tcpwhy_side peer = tw_other(w->sender);
    const struct tw_log *log = w->context->log;
    const struct tw_record *before = tw_gap_record(w, w->before), *sent = tw_gap_record(w, w->send);

    return !is_remote(w) && !(w->before->is & TW_SEND_PARTIAL) &&
           !((before->options | sent->options) & TW_OPT_TIMESTAMP) && log->inflow_rate[peer] > 0 &&
           tw_link_was_full(log, peer, before, sent);
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
static bool may_await_ack(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    if (!w->flight_empty)
        return may_fill_window(w);
    return may_have_filled_window(w, pause, rtt) ||
           (is_remote(w) && tw_pause_left_more(w) && pause < TW_INITIAL_RTO_NS);
}

/* At the sender: the ACK came so late in the pause that the segment hardly left soon after it by
 * chance. Whoever had filled the send buffer may have been woken by it; a busy host takes a moment.
 * The share is by judgement. */
static bool may_be_woken(const struct tw_gap *w, tcpwhy_ns pause)
{
    return w->since_ack_ns != TCPWHY_NS_UNKNOWN && w->since_ack_ns <= pause / TW_SOON_SHARE;
}

/* Behind a full segment the congestion window may have been full as well. What ends with less was
 * all of a write, or of what a small buffer took: the next one stands before it. That is no less
 * than two segments, nor much less than what was in flight before. */
static bool may_fill_buffer(const struct tw_gap *w)
{
    int64_t flight = tw_send_flight(w->before);

    return w->before->is & TW_SEND_PARTIAL && 2 * flight >= w->round->most_bytes &&
           flight >= 2 * (int64_t)w->context->sends[w->sender].mss_bytes;
}

/*
 * Does the segment echo the timestamp of an ACK that the capture holds behind it (RFC 7323, 4.3),
 * and of nothing before it? Then that came first, and may have let it go.
 */
static bool echoes_what_follows(const struct tw_gap *w)
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
 * (hearing.c). Who hears late, as a host that is not where the ways say, may have heard that a
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

/* Away from the sender: an ACK of all passed here before the segment, as it seems too late to have
 * let it go. Where few samples tell the way, it is shorter than they say. */
static bool may_have_heard_all(const struct tw_gap *w)
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

/* The same where the window had no room before that ACK. The sender's clock tells when the segment
 * left, and not when the ACK came to it. */
static bool may_be_blocked(const struct tw_gap *w, tcpwhy_ns rtt)
{
    return tw_send_lacked_room(w->send) && tw_pause_lag_is_way(w, rtt);
}

/* What arrives shows that the link was full before, and no clock how long this stood in its queue,
 * behind other connections' segments. */
static bool may_be_queued(const struct tw_gap *w, tcpwhy_ns pause)
{
    return w->round->spread && pause < TW_INITIAL_RTO_NS;
}

/* Who has a congestion window of one segment, as may be for two that are acknowledged together, and
 * is told of congestion, sends the next when its retransmission timer fires (RFC 3168, 6.1.2). */
static bool may_await_timer(const struct tw_gap *w, tcpwhy_ns pause)
{
    const struct tw_record *sent = tw_gap_record(w, w->send), *before = tw_gap_record(w, w->before);

    if (pause < TW_RTO_SEEN_NS || !w->round->loss_before ||
        tw_send_flight(w->before) > 2 * (int64_t)w->context->sends[w->sender].mss_bytes)
        return false;
    if (w->send->is & TW_SEND_REDUCED)
        return true;
    for (const struct tw_record *r = sent - 1; r > before; r--)
        if (r->from != sent->from && r->flags & TW_ECE)
            return true;
    return false;
}

enum tcpwhy_cause tw_pause_nagle(tcpwhy_ns pause)
{
    return pause < TW_DELAYED_ACK_NS ? TCPWHY_NAGLE_HOLD : TCPWHY_NAGLE_DELAYED_ACK;
}

enum tcpwhy_cause tw_pause_rival(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    if (!w->flight_empty && (rtt == TCPWHY_NS_UNKNOWN || pause < rtt))
        return TCPWHY_CONGESTION_WINDOW_LIMITED;
    if (tw_pause_may_be_held(w) || may_have_heard_all(w))
        return tw_pause_nagle(pause);
    if (echoes_what_follows(w))
        return w->before->is & TW_SEND_PARTIAL ? tw_pause_nagle(pause)
                                               : TCPWHY_CONGESTION_WINDOW_LIMITED;
    if (may_be_whole(w, pause))
        return TCPWHY_CLIENT_IDLE;
    if (tw_pause_may_be_repair(w, pause) || lacked_ack(w))
        return TCPWHY_LOSS_RECOVERY;
    if (tw_may_be_nagle(w))
        return TCPWHY_NAGLE_HOLD;
    if (may_be_blocked(w, rtt))
        return TCPWHY_RECEIVE_WINDOW_LIMITED;
    if (may_be_queued(w, pause) || may_await_link(w))
        return TCPWHY_BANDWIDTH_LIMITED;
    if (pause <= 2 * w->context->vantage.behind_proxy_ns[w->sender])
        return TCPWHY_SLOW_START;
    if (may_await_timer(w, pause))
        return TCPWHY_CONGESTION_WINDOW_LIMITED;
    if (may_be_woken(w, pause) && may_fill_buffer(w))
        return TCPWHY_SEND_BUFFER_LIMITED;
    if (!may_await_ack(w, pause, rtt) && !may_be_released(w, rtt) && !hears_late(w) &&
        (!may_be_woken(w, pause) || w->before->is & TW_SEND_PARTIAL))
        return TCPWHY_CAUSE_NONE;
    return tw_gap_ack_delay(w) >= TW_DELAYED_ACK_NS ? TCPWHY_DELAYED_ACK
                                                    : TCPWHY_CONGESTION_WINDOW_LIMITED;
}
