/* SPDX-License-Identifier: MIT */
/*
 * The segment was in a queue of its sender's own host when the segment before left it: TCP had let
 * it go, and only the link behind that queue held it.
 */
#include "explain/path/local_qdisc.h"
#include "explain/causes/hypothesis.h"
#include "explain/thresholds.h"

static const char *weigh(const struct tw_gap *w, struct tw_release *r)
{
    tcpwhy_ns wait_ns = w->to_ns - w->from_ns;
    tcpwhy_ns queued_ns = tw_local_qdisc_ns(&w->context->sends[w->sender], w->send);

    if (queued_ns < wait_ns)
        return "it did not queue for so long in its own host";
    r->party = TCPWHY_PARTY_PATH;
    r->odds = queued_ns <= TW_PACED_BURSTS * wait_ns ? TW_ODDS_DOUBTED : TW_ODDS_PROVEN;
    return NULL;
}

const struct tw_hypothesis tw_hypothesis_local_qdisc = { TCPWHY_BANDWIDTH_LIMITED,
                                                         TW_NEEDS_MESSAGE | TW_NEEDS_BEFORE |
                                                             TW_NEEDS_LOCAL_QDISC | TW_NEEDS_WHOLE,
                                                         weigh };
