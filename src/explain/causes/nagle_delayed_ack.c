/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm waited for an ACK, and the receiver delayed that ACK: neither would have cost
 * anything alone.
 */
#include "explain/causes/nagle.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (!tw_held_by_nagle(w) || w->ack_delay_ns < TW_DELAYED_ACK_NS)
        return false;
    c->party = tw_party_of(w->sender);
    c->key_record = w->send->moved_record;
    return true;
}

const struct tw_detector tw_detect_nagle_delayed_ack = { TCPWHY_NAGLE_DELAYED_ACK, claim };
