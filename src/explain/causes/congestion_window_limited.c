/* SPDX-License-Identifier: MIT */
/*
 * After a loss the congestion window grows slowly (RFC 5681, 3.1; CUBIC, RFC 9438), and nothing
 * else holds the sender.
 */
#include <glib.h>

#include "explain/wait.h"

/* What more of it would bring may be more of a queue. Round trips over a repair tell nothing: what
 * had come waited for what was lost. */
static bool may_be_full(const struct tw_wait *w)
{
    enum tw_growth growth = w->scene->rounds[w->sender].growth;

    if (growth == TW_GROWTH_PASSES)
        return false;
    if (w->round->repeats > 0)
        return growth == TW_GROWTH_QUEUES || w->round->near_capacity;
    return w->round->queue_ns > tw_queue_shows_ns(MAX(w->scene->vantage.rtt_min_ns, 0));
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_PATH;
    /* Not let go by an ACK, and longer than a round trip: perhaps a repair that we cannot see. */
    if (!w->ack_released && w->to_ns - w->from_ns > w->scene->vantage.rtt_min_ns) {
        c->confidence = TCPWHY_AMBIGUOUS;
        c->rival = TCPWHY_LOSS_RECOVERY;
    } else if (w->round->window_bytes == INT64_MAX ||
               (w->round->window_full && w->scene->vantage.to_side_ns[w->sender] > 0)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_RECEIVE_WINDOW_LIMITED;
    } else if (!w->round->loss_before) {
        /* A sender that finds out that it was misled takes the reduction back (RFC 4015). */
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_SEND_BUFFER_LIMITED;
    } else if (tw_wait_queue_was_empty(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_APP_LIMITED;
    } else if (may_be_full(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_BANDWIDTH_LIMITED;
    }
    return true;
}

const struct tw_detector tw_detect_congestion_window_limited = {
    TCPWHY_CONGESTION_WINDOW_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_LOSS
};
