/* SPDX-License-Identifier: MIT */
/*
 * SYNs that nothing ever answers.
 */
#include "failures/attempt.h"
#include "failures/kind.h"

/* The second repeat comes 3 s after the SYN (RFC 6298, section 2): one loss is none of this. */
#define LEAST_SYNS 3

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_attempt a;

    if (!tw_attempt_read(cut, &a) || a.opened || a.syns < LEAST_SYNS || a.syn_ack != TW_NO_RECORD ||
        a.refusal != TW_NO_RECORD || a.n_challenges > 0)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_CONNECT_TIMEOUT, TCPWHY_FAILED_CONNECT,
                     TCPWHY_SEEN_TIMEOUT);
    out->confidence = TCPWHY_LIKELY;
    out->who = TCPWHY_BY_UNKNOWN;
    out->time_ns = cut->log->record[a.first].time_ns;
    out->after_ns = tw_cut_between(cut, a.first, a.last);
    tw_failure_frame(out, cut, a.first);
    tw_failure_frame(out, cut, a.last);
    tw_failure_clue(out, TW_CLUE_SYNS, a.syns, 0);
    if (a.unacceptable == TW_NO_RECORD)
        return true;
    out->who = TCPWHY_BY_SERVER;
    tw_failure_frame(out, cut, a.unacceptable);
    tw_failure_clue(out, TW_CLUE_OUT_OF_WINDOW, (double)(cut->log->record[a.unacceptable].ack - 1),
                    0);
    return true;
}

const struct tw_failure_detector tw_failure_connect_timeout = {
    .kind = TCPWHY_FAILURE_CONNECT_TIMEOUT,
    .find = find,
};
