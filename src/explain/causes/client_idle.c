/* SPDX-License-Identifier: MIT */
/*
 * No exchange is open: nobody has asked anything, and nobody waits.
 */
#include <glib.h>

#include "explain/wait.h"

/* Whoever spoke last had more to send, and how much room it saw is not known. */
static bool may_lack_room(const struct tw_wait *w)
{
    return w->send && w->before && !tw_wait_queue_was_empty(w) &&
           w->scene->log->record[w->first_record].from == (uint8_t)w->sender &&
           w->scene->connection->side[tw_other(w->sender)].wscale == TW_WSCALE_UNKNOWN;
}

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    c->party = TCPWHY_PARTY_CLIENT;
    c->from_ns = MIN(w->from_ns + w->wire_ns, w->to_ns);
    if (may_lack_room(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = TCPWHY_RECEIVE_WINDOW_LIMITED;
    } else if (tw_wait_may_be_way(w)) {
        c->confidence = TCPWHY_LIKELY;
        c->rival = tw_wait_rival_way(w);
    }
    return true;
}

const struct tw_detector tw_detect_client_idle = { TCPWHY_CLIENT_IDLE, claim, TW_NEEDS_IDLE };
