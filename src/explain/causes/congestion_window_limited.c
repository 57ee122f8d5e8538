/* SPDX-License-Identifier: MIT */
/*
 * After a loss the congestion window grows slowly (RFC 5681, 3.1; CUBIC, RFC 9438), and nothing
 * else holds the sender.
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_PATH;
    /* Not let go by an ACK, and longer than a round trip: perhaps a repair that we cannot see. */
    if (!w->ack_released && w->to_ns - w->from_ns > w->scene->vantage.rtt_min_ns) {
        c->confidence = TCPWHY_AMBIGUOUS;
        c->rival = TCPWHY_LOSS_RECOVERY;
    } else if (w->round->window_bytes == INT64_MAX) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_RECEIVE_WINDOW_LIMITED;
    } else if (!w->round->loss_before) {
        /* A sender that finds out that it was misled takes the reduction back (RFC 4015). */
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_SEND_BUFFER_LIMITED;
    }
    return true;
}

const struct tw_detector tw_detect_congestion_window_limited = {
    TCPWHY_CONGESTION_WINDOW_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_LOSS
};
