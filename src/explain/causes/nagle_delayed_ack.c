/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm waited for an ACK, and the receiver delayed that ACK: neither would have cost
 * anything alone.
 */
#include "explain/causes/nagle.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    struct tw_claim held = *c;

    if (!tw_held_by_nagle(w, &held) || tw_wait_ack_delay(w) < TW_DELAYED_ACK_NS)
        return false;
    *c = held;
    return true;
}

const struct tw_detector tw_detect_nagle_delayed_ack = { TCPWHY_NAGLE_DELAYED_ACK, claim,
                                                         TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                             TW_NEEDS_PARTIAL | TW_NEEDS_DRAINED };
