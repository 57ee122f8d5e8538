/* SPDX-License-Identifier: MIT */
/*
 * The sender could not go on without an ACK, and the receiver held it back for one period of its
 * delayed-ACK timer (RFC 9293, 3.8.6.3; RFC 5681, 4.2).
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    if (tw_wait_ack_delay(w) < TW_DELAYED_ACK_NS)
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    tw_claim_doubt(c, TCPWHY_APP_LIMITED);
    c->key_record = w->send->moved_record;
    return true;
}

const struct tw_detector tw_detect_delayed_ack = { TCPWHY_DELAYED_ACK, claim,
                                                   TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                       TW_NEEDS_DRAINED | TW_NEEDS_RELEASED };
