/* SPDX-License-Identifier: MIT */
/*
 * Nagle's algorithm held a partial segment for a round trip: the ACK came in its normal time.
 */
#include "explain/causes/nagle.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (!tw_held_by_nagle(w))
        return false;
    c->party = tw_party_of(w->sender);
    c->key_record = w->send->moved_record;
    return true;
}

const struct tw_detector tw_detect_nagle_hold = { TCPWHY_NAGLE_HOLD, claim };
