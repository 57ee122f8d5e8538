/* SPDX-License-Identifier: MIT */
/*
 * The client's kernel resets the SYN/ACK, since it knows of no such connection, and its program
 * goes on: it sent the SYN by a raw socket.
 */
#include "failures/kind.h"

/* The RST that a kernel without a connection answers a SYN/ACK with (RFC 9293, 3.10.7.1). One that
 * has the connection does so too where the SYN/ACK acknowledges another number than its SYN's
 * (3.10.7.3). */
static uint32_t disowns(const struct tw_cut *cut)
{
    for (uint32_t i = 1; i < cut->log->n; i++) {
        const struct tw_record *r = &cut->log->record[i], *before = r - 1;

        if (r->from == TCPWHY_CLIENT && r->flags & TW_RST)
            return !(r->flags & TW_ACK) && before->from == TCPWHY_SERVER &&
                           before->flags & TW_SYN && before->ack == r->seq && before->ack == 1
                       ? i
                       : TW_NO_RECORD;
    }
    return TW_NO_RECORD;
}

static bool find(const struct tw_cut *cut, struct tw_failure *out)
{
    const uint32_t rst = cut->connection->side[TCPWHY_CLIENT].rst ? disowns(cut) : TW_NO_RECORD;

    if (rst == TW_NO_RECORD || cut->heard[TCPWHY_CLIENT] == TW_NO_RECORD ||
        cut->heard[TCPWHY_CLIENT] < rst ||
        cut->log->record[cut->heard[TCPWHY_CLIENT]].flags & TW_SYN)
        return false;
    tw_failure_begin(out, TCPWHY_FAILURE_SYN_ACK_RESET, TCPWHY_FAILED_CONNECT, TCPWHY_SEEN_RESET);
    out->who = TCPWHY_BY_CLIENT;
    out->time_ns = cut->log->record[rst].time_ns;
    out->after_ns = tw_cut_between(cut, rst - 1, rst);
    tw_failure_frame(out, cut, rst - 1);
    tw_failure_frame(out, cut, rst);
    tw_failure_frame(out, cut, cut->heard[TCPWHY_CLIENT]);
    tw_failure_clue(out, TW_CLUE_NO_STATE, 0, 0);
    return true;
}

const struct tw_failure_detector tw_failure_syn_ack_reset = {
    .kind = TCPWHY_FAILURE_SYN_ACK_RESET,
    .find = find,
};
