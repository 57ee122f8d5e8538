/* SPDX-License-Identifier: MIT */
/*
 * Inside a message, with room in every window, nothing was sent: the application wrote late.
 */
#include <glib.h>

#include "explain/causes/nagle.h"

/* A pause shorter than this part of a round trip is the sender's pacing or a busy host. */
#define PAUSE_SHARE 4
#define PAUSE_NS    TCPWHY_MS(1)

/* The last segment of what is queued is pushed (RFC 9293, 3.9.1.2, MUST-61), so that more stood
 * behind a full one that is not. */
static bool had_more(const struct tw_wait *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) && !(tw_wait_record(w, w->before)->flags & TW_PSH);
}

/*
 * Was what came before the pause a whole message? Where only turns tell, one that was pushed, or
 * ends with less than a segment, is as likely one that asks for nothing: the end of what was before
 * it, a push, a heartbeat; events that come as they happen, where the sender keeps to a clock of
 * its own.
 */
static bool may_be_whole(const struct tw_wait *w, tcpwhy_ns pause)
{
    return w->guessed && (pause >= TW_QUIET_NS || w->round->own_clock) && !had_more(w);
}

static bool is_remote(const struct tw_wait *w)
{
    return w->scene->vantage.to_side_ns[w->sender] > 0;
}

/* Away from the sender: what goes again though it was acknowledged here lacked that ACK. */
static bool lacked_ack(const struct tw_wait *w)
{
    return is_remote(w) && w->before->is & TW_SEND_SPURIOUS;
}

/*
 * Away from the sender more may have been lost before it passed, and what passes after a timer
 * (200 ms in Linux, TCP_RTO_MIN; nobody's is shorter) be its repair, unless the next identification
 * says that nothing was sent between.
 */
static bool may_be_repair(const struct tw_wait *w, tcpwhy_ns pause)
{
    uint16_t sent = tw_wait_record(w, w->send)->ip_id - tw_wait_record(w, w->before)->ip_id;

    return is_remote(w) && pause >= TCPWHY_MS(200) && had_more(w) && sent != 1;
}

/* No congestion window is smaller than this (RFC 5681, 3.1: it begins with two segments). */
static bool may_fill_window(const struct tw_wait *w)
{
    return !(w->before->is & TW_SEND_PARTIAL) &&
           tw_send_seq(w->send) - w->send->acked >=
               2 * (int64_t)w->scene->sends[w->sender].mss_bytes;
}

/* More may have waited for ACKs that were late: on their way to us, or from us to the sender, whose
 * timer would have shown in time (RFC 6298, 2.4). */
static bool may_await_ack(const struct tw_wait *w, tcpwhy_ns pause)
{
    if (!w->drained)
        return may_fill_window(w);
    return is_remote(w) && had_more(w) && pause < TCPWHY_S(1);
}

/* A sender that holds such segments as a rule: was its ACK lost to the capture alone? */
static bool may_be_held(const struct tw_wait *w)
{
    const struct tw_sends *x = &w->scene->sends[w->sender];

    return !w->drained && x->held >= TW_HELD_OFTEN && tw_sends_hold(x) &&
           (w->before->is & w->send->is & TW_SEND_PARTIAL);
}

/*
 * Away from the sender, and without its clock, the shortest way stands for each frame's. Ways that
 * vary by a round trip are not unheard of (Wi-Fi, mobile, the queues of others): within one more an
 * ACK may have let the segment go, if there was one that did not only empty the queue.
 */
static bool may_be_released(const struct tw_wait *w, tcpwhy_ns rtt)
{
    const struct tw_sends *x = &w->scene->sends[w->sender];

    return is_remote(w) && !x->queues_seen && w->lag_ns != TCPWHY_NS_UNKNOWN && w->lag_ns <= rtt &&
           w->send->sent_ns - w->lag_ns > w->before->sent_ns && !tw_wait_queue_was_empty(w);
}

static enum tcpwhy_cause nagle_of(tcpwhy_ns pause)
{
    return pause < TW_DELAYED_ACK_NS ? TCPWHY_NAGLE_HOLD : TCPWHY_NAGLE_DELAYED_ACK;
}

/* What else it may have been; TCPWHY_CAUSE_NONE: nothing. */
static enum tcpwhy_cause rival_of(const struct tw_wait *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    if (!w->drained && (rtt == TCPWHY_NS_UNKNOWN || pause < rtt))
        return TCPWHY_CONGESTION_WINDOW_LIMITED;
    if (may_be_held(w))
        return nagle_of(pause);
    if (may_be_whole(w, pause))
        return TCPWHY_CLIENT_IDLE;
    if (may_be_repair(w, pause) || lacked_ack(w))
        return TCPWHY_LOSS_RECOVERY;
    if (tw_may_be_nagle(w))
        return TCPWHY_NAGLE_HOLD;
    if (!may_await_ack(w, pause) && !may_be_released(w, rtt))
        return TCPWHY_CAUSE_NONE;
    return tw_wait_ack_delay(w) >= TW_DELAYED_ACK_NS ? TCPWHY_DELAYED_ACK
                                                     : TCPWHY_CONGESTION_WINDOW_LIMITED;
}

/* A writer that had no room in the send buffer is woken when that is empty, and writes at once. */
static bool had_room(const struct tw_wait *w, tcpwhy_ns least)
{
    return w->drained && w->lag_ns != TCPWHY_NS_UNKNOWN && w->lag_ns >= least && !had_more(w);
}

/* The queue that stands at the bottleneck is not over yet, and the path carries all that it can. */
static bool path_is_busy(const struct tw_wait *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    return w->round->standing_queue && !w->drained && rtt != TCPWHY_NS_UNKNOWN &&
           pause <= rtt + w->round->queue_ns;
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    tcpwhy_ns rtt = w->scene->vantage.rtt_min_ns;
    tcpwhy_ns least = MAX(PAUSE_NS, rtt / PAUSE_SHARE);
    /* A queue between the sender and us spreads what left together. */
    tcpwhy_ns pause = MIN(w->to_ns - w->from_ns, w->send->sent_ns - w->before->sent_ns);

    if ((w->send->is & TW_SEND_REPEAT) || path_is_busy(w, pause, rtt))
        return false;
    if (w->round->own_clock && !had_room(w, least)) {
        c->rival = may_be_held(w) ? nagle_of(pause) : TCPWHY_SEND_BUFFER_LIMITED;
    } else {
        if (pause < least || w->ack_released)
            return false;
        /* With data in flight the congestion window may be what was full: surely after a loss. */
        if (!w->drained && w->round->loss_before)
            return false;
        c->rival = rival_of(w, pause, rtt);
    }
    if (c->rival != TCPWHY_CAUSE_NONE)
        c->confidence = TCPWHY_LIKELY;
    c->party = tw_party_of(w->sender);
    return true;
}

const struct tw_detector tw_detect_app_limited = { TCPWHY_APP_LIMITED, claim,
                                                   TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE };
