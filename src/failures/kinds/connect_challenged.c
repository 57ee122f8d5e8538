/* SPDX-License-Identifier: MIT */
/*
 * A SYN is answered by an ACK of an older connection of the same ports (RFC 5961, section 4): the
 * client resets that, asks again after a second, or never gets through. A box that protects against
 * SYN floods does the same on purpose, by a SYN/ACK with a wrong acknowledgement number.
 */
#include "failures/attempt.h"
#include "failures/kind.h"

static void tell_test(const struct tw_cut *cut, const struct tw_attempt *a, struct tw_failure *out)
{
    const struct tw_record *challenge = &cut->log->record[a->challenge];
    const struct tw_record *syn_ack = tw_cut_record(cut, a->syn_ack);

    if (!(challenge->flags & TW_SYN))
        return;
    out->who = syn_ack && syn_ack->ttl != challenge->ttl ? TCPWHY_BY_BOX : TCPWHY_BY_SERVER;
    tw_failure_clue(out, TW_CLUE_WRONG_ACK, (double)(challenge->ack - 1), 0);
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    struct tw_attempt a;
    uint32_t end;

    if (!tw_attempt_read(cut, &a) || a.n_challenges == 0 ||
        (a.syns < 2 && a.syn_ack != TW_NO_RECORD))
        return false;
    end = a.syn_ack != TW_NO_RECORD ? a.syn_ack : cut->log->n - 1;
    tw_failure_begin(out, TCPWHY_FAILURE_CONNECT_CHALLENGED, TCPWHY_FAILED_CONNECT,
                     a.syn_ack != TW_NO_RECORD ? TCPWHY_SEEN_DELAY : TCPWHY_SEEN_TIMEOUT);
    out->who = TCPWHY_BY_CLIENT;
    out->time_ns = cut->log->record[a.first].time_ns;
    out->after_ns = tw_cut_between(cut, a.first, end);
    tw_failure_frame(out, cut, a.first);
    tw_failure_frame(out, cut, a.challenge);
    tw_failure_frame(out, cut, a.last);
    tw_failure_frame(out, cut, a.syn_ack);
    tw_failure_clue(out, TW_CLUE_SYNS, a.syns, a.syn_acks);
    tell_test(cut, &a, out);
    return true;
}

const struct tw_failure_detector tw_failure_connect_challenged = {
    .kind = TCPWHY_FAILURE_CONNECT_CHALLENGED,
    .find = find,
};
