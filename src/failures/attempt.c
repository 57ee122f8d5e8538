/* SPDX-License-Identifier: MIT */
#include "failures/attempt.h"

static bool is_syn(const struct tw_record *r)
{
    return r->from == TCPWHY_CLIENT && (r->flags & (TW_SYN | TW_ACK)) == TW_SYN;
}

static void read_client(struct tw_attempt *a, const struct tw_record *r, uint32_t i)
{
    if (is_syn(r)) {
        a->syns++;
        a->last = i;
        a->syns_after += a->syn_ack != TW_NO_RECORD;
        a->refusal = TW_NO_RECORD; /* it tries again */
    } else if (!(r->flags & TW_RST)) {
        a->opened = true;
    }
}

/* A SYN/ACK for another SYN: its client answers by a RST with the number that it acknowledges (RFC
 * 9293, 3.10.7.3). A box tests so whether the client's address is real. */
static bool is_test(const struct tw_log *log, uint32_t i)
{
    const struct tw_record *r = &log->record[i], *next = r + 1;

    return tw_record_is(r, TW_SYN | TW_ACK) && r->ack != 1 && i + 1 < log->n &&
           next->from == TCPWHY_CLIENT && (next->flags & (TW_RST | TW_ACK)) == TW_RST &&
           next->seq == r->ack;
}

/* A challenge ACK acknowledges numbers of an older connection. An ACK of this SYN belongs to this
 * one: a SYN/ACK in two segments (split handshake). */
static bool is_challenge(const struct tw_log *log, uint32_t i)
{
    const struct tw_record *r = &log->record[i];

    return (tw_record_is_pure_ack(r) && r->ack != 1) || is_test(log, i);
}

static void read_server(struct tw_attempt *a, const struct tw_log *log, uint32_t i)
{
    const struct tw_record *r = &log->record[i];

    if (tw_record_is(r, TW_SYN | TW_ACK) && !is_test(log, i)) {
        a->syn_acks++;
        if (a->syn_ack == TW_NO_RECORD)
            a->syn_ack = i;
    } else if (a->syn_ack != TW_NO_RECORD) {
        return;
    } else if (r->flags & TW_ACK && r->flags & TW_RST && r->ack != 1) {
        a->unacceptable = i; /* RFC 9293, 3.10.7.3: whoever sent the SYN ignores it */
    } else if (r->flags & TW_RST) {
        a->refusal = i;
    } else if (is_challenge(log, i)) {
        if (a->n_challenges++ == 0)
            a->challenge = i;
    }
}

bool tw_attempt_read(const struct tw_cut *cut, struct tw_attempt *out)
{
    const struct tw_log *log = cut->log;

    *out = (struct tw_attempt) {
        .syn_ack = TW_NO_RECORD,
        .challenge = TW_NO_RECORD,
        .refusal = TW_NO_RECORD,
        .unacceptable = TW_NO_RECORD,
    };
    if (log->n == 0 || !is_syn(&log->record[0]))
        return false;
    for (uint32_t i = 0; i < log->n && !out->opened; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME)
            continue;
        if (r->from == TCPWHY_CLIENT)
            read_client(out, r, i);
        else
            read_server(out, log, i);
    }
    return true;
}
