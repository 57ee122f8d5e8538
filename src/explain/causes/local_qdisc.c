/* SPDX-License-Identifier: MIT */
/*
 * What ended the wait stood in a queue of its sender's own host when the segment before it left
 * that: TCP had let it go, and nothing but the link behind the queue held it.
 */
#include "explain/path/local_qdisc.h"
#include "explain/causes/detector.h"
#include "explain/thresholds.h"

static bool claim(const struct tw_gap *w, struct tw_claim *c)
{
    tcpwhy_ns wait_ns = w->to_ns - w->from_ns;
    tcpwhy_ns queued_ns = tw_local_qdisc_ns(&w->context->sends[w->sender], w->send);

    if (queued_ns < wait_ns)
        return false;
    c->party = TCPWHY_PARTY_PATH;
    if (queued_ns <= TW_PACED_BURSTS * wait_ns)
        tw_claim_add_rival(c, TCPWHY_APP_LIMITED);
    return true;
}

const struct tw_detector tw_detect_local_qdisc = {
    TCPWHY_BANDWIDTH_LIMITED, claim, TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE | TW_NEEDS_LOCAL_QDISC
};
