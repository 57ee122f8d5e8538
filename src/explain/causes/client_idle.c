/* SPDX-License-Identifier: MIT */
/*
 * No exchange is open: nobody has asked anything, and nobody waits.
 */
#include <glib.h>

#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    c->from_ns = MIN(w->from_ns + w->wire_ns, w->to_ns);
    return true;
}

const struct tw_detector tw_detect_client_idle = { TCPWHY_CLIENT_IDLE, claim, TW_NEEDS_IDLE };
