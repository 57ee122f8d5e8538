/* SPDX-License-Identifier: MIT */
/*
 * Inside a message, with room in every window, nothing was sent: the application wrote late.
 */
#include <glib.h>

#include "explain/causes/pause.h"
#include "explain/thresholds.h"

/* A writer that had no room in the send buffer is woken when that is empty, and writes at once. */
static bool had_room(const struct tw_gap *w, tcpwhy_ns least)
{
    return w->flight_empty && w->since_ack_ns >= least && !tw_pause_left_more(w);
}

/* The queue that stands at the bottleneck is not over yet, and the path carries all that it can. */
static bool path_is_busy(const struct tw_gap *w, tcpwhy_ns pause, tcpwhy_ns rtt)
{
    return w->round->standing_queue && !w->flight_empty && pause <= rtt + w->round->queue_ns;
}

/* What may have been the clock. Away from the sender, and without its own, a path whose rate
 * changes spreads full segments as evenly; and so does congestion control that paces (BBR). */
static enum tcpwhy_cause rival_of_clock(const struct tw_gap *w, tcpwhy_ns pause)
{
    if (tw_pause_may_be_held(w))
        return tw_pause_nagle(pause);
    if (tw_pause_may_be_repair(w, pause))
        return TCPWHY_LOSS_RECOVERY;
    if (tw_pause_left_more(w) && !w->context->sends[w->sender].queues_seen)
        return TCPWHY_BANDWIDTH_LIMITED;
    return w->round->paced ? TCPWHY_CONGESTION_WINDOW_LIMITED : TCPWHY_SEND_BUFFER_LIMITED;
}

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    tcpwhy_ns rtt = w->context->vantage.rtt_min_ns;
    tcpwhy_ns least = MAX(TW_SHORT_NS, rtt / TW_PAUSE_SHARE);
    /* A queue between the sender and us spreads what left together. */
    tcpwhy_ns pause = MIN(w->to_ns - w->from_ns, w->send->sent_ns - w->before->sent_ns);

    if ((w->send->is & TW_SEND_REPEAT) || path_is_busy(w, pause, rtt))
        return false;
    if (w->round->own_clock && !had_room(w, least)) {
        if (w->round->at_capacity)
            return false;
        c->rival = rival_of_clock(w, pause);
    } else {
        if (pause < least || (w->ack_clocked && !tw_gap_is_own_pause(w)))
            return false;
        /* With data in flight the congestion window may be what was full: surely after a loss. */
        if (!w->flight_empty && tw_gap_after_loss(w) && !tw_gap_fits_any_window(w))
            return false;
        c->rival = tw_pause_rival(w, pause, rtt);
    }
    if (c->rival != TCPWHY_CAUSE_NONE)
        c->confidence = TCPWHY_LIKELY;
    c->party = tw_party_of(w->sender);
    c->to_ns = CLAMP(w->due_ns, w->from_ns, w->to_ns);
    return true;
}

const struct tw_detector tw_detect_app_limited = { TCPWHY_APP_LIMITED, claim,
                                                   TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE };
