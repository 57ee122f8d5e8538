/* SPDX-License-Identifier: MIT */
/*
 * The path is full: the round trip is longer than its shortest, and sending more brings no more
 * rate, so a queue stands at the bottleneck.
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (w->phase != TW_PHASE_MESSAGE || !w->round || !w->round->standing_queue)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    return true;
}

const struct tw_detector tw_detect_bandwidth_limited = { TCPWHY_BANDWIDTH_LIMITED, claim };
