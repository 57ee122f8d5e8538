/* SPDX-License-Identifier: MIT */
/*
 * The path is full: the round trip is longer than its shortest, and sending more brings no more
 * rate, so a queue stands at the bottleneck.
 */
#include <glib.h>

#include "explain/wait.h"

/* A full path delivers all the time: a silence of a whole round trip is something else. */
static tcpwhy_ns longest_silence(const struct tw_wait *w)
{
    if (w->round->ends_message)
        return tw_even_queue_ns(w->round);
    return MAX(w->scene->vantage.rtt_min_ns, 0) + w->round->queue_ns;
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (w->phase != TW_PHASE_ARRIVAL && w->to_ns - w->from_ns > longest_silence(w))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    c->from_ns = w->from_ns + w->wire_ns;
    /* Ways that vary by half a round trip are rare, and not unheard of (Wi-Fi, mobile). */
    if (w->round->ends_message && w->round->queue_ns <= w->scene->vantage.rtt_min_ns) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_WIRE;
    }
    return true;
}

const struct tw_detector tw_detect_bandwidth_limited = { TCPWHY_BANDWIDTH_LIMITED, claim,
                                                         TW_NEEDS_QUEUE };
