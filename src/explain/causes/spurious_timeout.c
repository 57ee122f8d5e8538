/* SPDX-License-Identifier: MIT */
/*
 * The RTO fired, and then an ACK showed that nothing had been lost (RFC 3522, RFC 5682): that ACK
 * was late. Only a capture at the sender shows it.
 */
#include "explain/causes/hypothesis.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    const unsigned misled = TW_SEND_SPURIOUS | TW_SEND_REDUCED;

    if (!w->ack_clocked || (w->before->is & misled) != misled ||
        w->context->vantage.to_side_ns[w->sender] > 0 ||
        w->before->sent_ns - w->from_ns < TW_RTO_SEEN_NS)
        return "no spurious timeout came before";
    r->party = TCPWHY_PARTY_PATH;
    r->key_record = w->before->record;
    r->odds = TW_ODDS_DOUBTED;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_spurious_timeout = {
    TCPWHY_LOSS_RECOVERY, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_WHOLE | TW_NEEDS_LOSS, weigh
};
