/* SPDX-License-Identifier: MIT */
/*
 * The retransmission timer fired, and then an ACK let the sender go on and told that nothing had
 * been lost (RFC 3522, RFC 5682): it was late. Asked at the sender, when nothing else explains it.
 */
#include "explain/causes/detector.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    const unsigned misled = TW_SEND_SPURIOUS | TW_SEND_REDUCED;

    if ((w->before->is & misled) != misled || w->context->vantage.to_side_ns[w->sender] > 0 ||
        w->before->sent_ns - w->from_ns < TW_RTO_SEEN_NS)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    c->key_record = w->before->record;
    tw_claim_add_rival(c, TCPWHY_DELAYED_ACK);
    return true;
}

const struct tw_detector tw_detect_spurious_timeout = { TCPWHY_LOSS_RECOVERY, claim,
                                                        TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                            TW_NEEDS_RELEASED | TW_NEEDS_LOSS };
