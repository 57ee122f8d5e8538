/* SPDX-License-Identifier: MIT */
/*
 * The receiver's window was 0: the sender may only probe until it opens (RFC 9293, 3.8.6.1).
 */
#include "explain/wait.h"

static bool claim(const struct tw_wait *w, struct tw_claim *c)
{
    const struct tw_send *s = w->send;

    if (s->allowed_ns == TCPWHY_NS_UNKNOWN || s->allowed_ns <= w->before->sent_ns)
        return false;
    c->party = tw_party_of(tw_other(w->sender));
    c->key_record = s->moved_record;
    return true;
}

const struct tw_detector tw_detect_zero_window = {
    TCPWHY_ZERO_WINDOW, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_CLOSED
};
