/* SPDX-License-Identifier: MIT */
/*
 * The path is full: the round trip is longer than its shortest, and sending more brings no more
 * rate, so a queue stands at the bottleneck.
 */
#include <glib.h>

#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    /* A full path delivers all the time: a silence of a whole round trip is something else. */
    if (w->to_ns - w->from_ns > MAX(w->scene->vantage.rtt_min_ns, 0) + w->round->queue_ns)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    return true;
}

const struct tw_detector tw_detect_bandwidth_limited = {
    TCPWHY_BANDWIDTH_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_QUEUE
};
