/* SPDX-License-Identifier: MIT */
/*
 * What no one could have saved: a pause within a message too short to be anything but
 * serialisation, and the way of the last segment.
 */
#include <glib.h>

#include "explain/wait.h"

#define SERIALISATION_NS TCPWHY_MS(1)

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    tcpwhy_ns rtt = w->scene->vantage.rtt_min_ns;

    if (rtt == TCPWHY_NS_UNKNOWN || w->to_ns - w->from_ns > MAX(rtt / 8, SERIALISATION_NS))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    return true;
}

const struct tw_detector tw_detect_wire = { TCPWHY_WIRE, claim, TW_NEEDS_NOTHING };
