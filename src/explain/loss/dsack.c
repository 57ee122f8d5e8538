/* SPDX-License-Identifier: MIT */
#include "explain/loss/dsack.h"

#include <stdlib.h>
#include <string.h>

#include <glib.h>
#include "explain/thresholds.h"

static int by_first_byte(const void *a, const void *b)
{
    const struct tw_dsack_range *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

/* ---- reports without a word ---------------------------------------------------------------- */

/* Walks the log with a sender's retransmissions that are not yet reported. */
struct plain {
    const struct tw_sender_timeline *sends;
    const struct tw_send *next;
    struct tw_dsack_range open[TW_DSACK_REPEATS]; /* the newest of them */
    uint32_t n_open;
    int64_t sent;                /* offset after what was sent so far */
    const struct tw_record *ack; /* the receiver's newest */
};

static void take_sends(struct plain *p, uint32_t record)
{
    const struct tw_send *s = p->next, *end = p->sends->send + p->sends->n;

    for (; s < end && s->record < record; s++) {
        p->sent = MAX(p->sent, s->end);
        if (!(s->is & TW_SEND_REPEAT))
            continue;
        if (p->n_open == TW_DSACK_REPEATS)
            memmove(p->open, p->open + 1, --p->n_open * sizeof *p->open);
        p->open[p->n_open++] = (struct tw_dsack_range) { tw_send_seq(s), s->end, s->record, true };
    }
    p->next = s;
}

/* Only a duplicate makes a receiver repeat its ACK unchanged, window included: nothing was sent
 * beyond what it acknowledges. */
static bool tells_nothing_new(const struct plain *p, const struct tw_record *r)
{
    return tw_record_is_pure_ack(r) && r->n_sack == 0 && p->ack && r->ack == p->ack->ack &&
           r->ack == p->sent && r->window_bytes == p->ack->window_bytes &&
           r->frame_class == TCPWHY_CLASS_ACK;
}

/* May a pure ACK of everything sent answer a copy? It echoes the newest in sequence (RFC 7323,
 * 4.3). */
static bool may_answer(const struct plain *p, const struct tw_record *r,
                       const struct tw_dsack_range *copy)
{
    const struct tw_record *sent = &p->sends->record[copy->record];

    return !(r->options & sent->options & TW_OPT_TIMESTAMP) || r->tsecr == sent->tsval;
}

/* Find the copy that a duplicate ACK reports. The newest of several: the first may have been
 * needed. @return false: none. */
static bool take_plain(struct plain *p, const struct tw_record *r, struct tw_dsack_range *out)
{
    for (uint32_t i = p->n_open; i-- > 0;) {
        if (!may_answer(p, r, &p->open[i]))
            continue;
        *out = p->open[i];
        memmove(p->open + i, p->open + i + 1, (--p->n_open - i) * sizeof *p->open);
        return true;
    }
    return false;
}

static void find_sent(const struct tw_sender_timeline *x, struct tw_scratch *scratch,
                      struct tw_dsack *out)
{
    out->sent = tw_scratch_get(scratch, x->repeats, sizeof *out->sent);
    for (uint32_t i = 0; out->n_sent < x->repeats; i++) {
        const struct tw_send *s = &x->send[i];

        if (s->is & TW_SEND_REPEAT)
            out->sent[out->n_sent++] =
                (struct tw_dsack_range) { tw_send_seq(s), s->end, s->record, false };
    }
}

/* The duplicate data that a record of the receiver reports. @return false: none. */
static bool report_of(const struct tw_log *log, struct plain *p, uint32_t index,
                      struct tw_dsack_range *out)
{
    const struct tw_record *r = &log->record[index];

    if (r->facts & TW_FACT_DSACK) {
        *out = (struct tw_dsack_range) { log->sack[r->sack].from, log->sack[r->sack].to, index,
                                         false };
        return true;
    }
    take_sends(p, index);
    if (!tells_nothing_new(p, r) || !take_plain(p, r, out))
        return false;
    out->record = index;
    return true;
}

static void find_reported(const struct tw_log *log, const struct tw_sender_timeline *sends,
                          struct tw_scratch *scratch, struct tw_dsack *out)
{
    struct plain p = { .sends = sends, .next = sends->send };
    struct tw_dsack_range report;
    uint32_t capacity = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == (uint8_t)sends->from)
            continue;
        if (!r->usual && report_of(log, &p, i, &report)) {
            out->reported = tw_scratch_grow(scratch, out->reported, out->n_reported, &capacity,
                                            sizeof *out->reported);
            out->reported[out->n_reported++] = report;
        }
        p.ack = r;
    }
}

void tw_dsack_build(const struct tw_log *log, const struct tw_sender_timeline *sends,
                    struct tw_scratch *scratch, struct tw_dsack *out)
{
    *out = (struct tw_dsack) { .known = true };
    find_reported(log, sends, scratch, out);
    if (out->n_reported == 0)
        return;
    find_sent(sends, scratch, out);
    qsort(out->reported, out->n_reported, sizeof *out->reported, by_first_byte);
    qsort(out->sent, out->n_sent, sizeof *out->sent, by_first_byte);
}

/* The number of copies that begin before an offset. */
static uint32_t count_before(const struct tw_dsack_range *copy, uint32_t n, int64_t offset)
{
    uint32_t low = 0, high = n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (copy[middle].from < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum tw_dsack_reported tw_dsack_reported(const struct tw_dsack *c, const struct tw_record *repeat,
                                         uint32_t record)
{
    int64_t from = repeat->seq, to = repeat->seq + repeat->len;
    uint32_t reports = count_before(c->reported, c->n_reported, from + 1);
    uint32_t copies = count_before(c->sent, c->n_sent, to), reported = 0, sent = 0;
    bool plain = false;

    for (uint32_t i = reports - MIN(reports, TW_DSACK_REPEATS); i < reports; i++)
        if (c->reported[i].to >= to && c->reported[i].record > record) {
            reported++;
            plain |= c->reported[i].plain;
        }
    if (reported == 0)
        return TW_DSACK_LACK;
    for (uint32_t i = copies - MIN(copies, TW_DSACK_REPEATS); i < copies; i++)
        sent += c->sent[i].to > from && c->sent[i].record >= record;
    if (reported >= sent)
        return TW_DSACK_ALL;
    return plain && reported + 1 == sent ? TW_DSACK_MAY : TW_DSACK_LACK;
}
