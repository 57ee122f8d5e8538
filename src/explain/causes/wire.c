/* SPDX-License-Identifier: MIT */
/*
 * What no one could have saved: a pause within a message too short to be anything but
 * serialisation, and the way of the last segment.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    if (!tw_gap_may_be_serialisation(w))
        return false;
    c->party = TCPWHY_PARTY_PATH;
    return true;
}

const struct tw_detector tw_detect_wire = { TCPWHY_WIRE, claim, TW_NEEDS_NOTHING };
