/* SPDX-License-Identifier: MIT */
/*
 * The request had arrived, nothing was in flight, and the client had not begun its answer.
 */
#include <glib.h>

#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    c->from_ns = MIN(w->from_ns + w->wire_ns, w->to_ns);
    if (tw_wait_may_be_way(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = tw_wait_rival_way(w);
    }
    return true;
}

const struct tw_detector tw_detect_client_think = { TCPWHY_CLIENT_THINK, claim, TW_NEEDS_TURN };
