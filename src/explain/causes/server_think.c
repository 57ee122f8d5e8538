/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the server had not begun its answer.
 */
#include <glib.h>

#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (w->sender != TCPWHY_SERVER)
        return false;
    c->party = TCPWHY_PARTY_SERVER;
    c->from_ns = MIN(w->from_ns + w->wire_ns, w->to_ns);
    /* What nobody asked for looks like a late answer. */
    if (w->guessed && c->to_ns - c->from_ns >= TW_QUIET_NS) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_CLIENT_IDLE;
    } else if (tw_wait_may_be_way(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = tw_wait_rival_way(w);
    }
    return true;
}

const struct tw_detector tw_detect_server_think = { TCPWHY_SERVER_THINK, claim, TW_NEEDS_TURN };
