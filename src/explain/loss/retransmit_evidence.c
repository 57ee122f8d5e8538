/* SPDX-License-Identifier: MIT */
#include "explain/loss/retransmit_evidence.h"
#include "explain/thresholds.h"

static void collect_too_big(struct tw_retransmit_evidence *e)
{
    for (uint32_t i = 0; i < e->log->n_icmp; i++) {
        if (e->log->icmp[i].kind != TW_ICMP_TOO_BIG || e->log->icmp[i].to != e->sender)
            continue;
        e->too_big = tw_scratch_grow(e->scratch, e->too_big, e->n_too_big, &e->too_big_capacity,
                                     sizeof *e->too_big);
        e->too_big[e->n_too_big++] = e->log->icmp[i].time_ns;
    }
}

/* A server may offer SACK only if the client did (RFC 2018, 2). If the capture began later, only
 * its use shows it. */
static bool is_wordless(const struct tw_log *log)
{
    const struct tw_record *r = log->record, *end = r + log->n;

    if (!(r->flags & TW_SYN))
        return log->n_sack == 0;
    for (; r < end && r->flags & TW_SYN; r++)
        if (!(r->options & TW_OPT_SACK_PERMITTED))
            return true;
    return false;
}

void tw_retransmit_evidence_begin(struct tw_retransmit_evidence *e, const struct tw_log *log,
                                  enum tcpwhy_side sender, struct tw_scratch *scratch)
{
    *e = (struct tw_retransmit_evidence) {
        .log = log, .sender = sender, .wordless = is_wordless(log), .scratch = scratch
    };
    collect_too_big(e);
}

uint32_t tw_retransmit_evidence_ack(struct tw_retransmit_evidence *e, uint32_t record, int64_t end,
                                    bool *never)
{
    const enum tcpwhy_side receiver = (enum tcpwhy_side) !e->sender;
    uint32_t found = e->log->n;

    if (!e->acks.highest) {
        found = tw_ack_find_near(e->log, receiver, record + 1, end);
        if (found == e->log->n)
            tw_ack_index_build(e->log, receiver, e->scratch, &e->acks);
    }
    if (found == e->log->n)
        found = tw_ack_index_find(&e->acks, e->log, record + 1, end);
    *never = found == e->log->n;
    return *never ? e->log->n - 1 : found;
}

/* Does the receiver report a loss in this record? */
static bool tells_of_loss(const struct tw_retransmit_evidence *e, const struct tw_record *r)
{
    return r->from != e->sender && (r->frame_class == TCPWHY_CLASS_DUPLICATE_ACK ||
                                    (r->n_sack && !(r->facts & TW_FACT_DSACK)));
}

/* Records are searched each time while they are near each other, the usual case; otherwise once,
 * all of them. */
bool tw_retransmit_evidence_of_loss(struct tw_retransmit_evidence *e, uint32_t from, uint32_t to)
{
    if (e->looked == 0 && to - from <= TW_NEAR_RECORDS) {
        for (uint32_t i = to; i > from + 1; i--)
            if (tells_of_loss(e, &e->log->record[i - 1]))
                return true;
        return false;
    }
    for (; e->looked < to; e->looked++)
        if (tells_of_loss(e, &e->log->record[e->looked]))
            e->last_told = e->looked;
    return e->last_told > from;
}

enum tw_dsack_reported tw_retransmit_evidence_of_duplicate(struct tw_retransmit_evidence *e,
                                                           const struct tw_sender_timeline *sends,
                                                           uint32_t repeat)
{
    if (!e->copies.known)
        tw_dsack_build(e->log, sends, e->scratch, &e->copies);
    return tw_dsack_reported(&e->copies, &e->log->record[repeat], repeat);
}

bool tw_retransmit_evidence_too_big(const struct tw_retransmit_evidence *e, uint32_t from,
                                    uint32_t to)
{
    uint32_t low = 0, high = e->n_too_big;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (e->too_big[middle] < e->log->record[from].time_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < e->n_too_big && e->too_big[low] <= e->log->record[to].time_ns;
}
