/* SPDX-License-Identifier: MIT */
#include "explain/copies.h"

#include <stdlib.h>

#include <glib.h>

/* A segment is repeated 15 times at most (tcp_retries2); few others lie around it. */
#define LOOK_AT 64

static int by_first_byte(const void *a, const void *b)
{
    const struct tw_copy *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return (x->record > y->record) - (x->record < y->record);
}

static void find_sent(const struct tw_sends *x, struct tw_scratch *scratch, struct tw_copies *out)
{
    out->sent = tw_scratch_get(scratch, x->repeats, sizeof *out->sent);
    for (uint32_t i = 0; out->n_sent < x->repeats; i++) {
        const struct tw_send *s = &x->send[i];

        if (s->is & TW_SEND_REPEAT)
            out->sent[out->n_sent++] = (struct tw_copy) { tw_send_seq(s), s->end, s->record };
    }
}

static void find_reported(const struct tw_log *log, enum tcpwhy_side receiver,
                          struct tw_scratch *scratch, struct tw_copies *out)
{
    uint32_t capacity = 0;

    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->usual || r->from != receiver || !(r->facts & TW_FACT_DSACK))
            continue;
        out->reported = tw_scratch_grow(scratch, out->reported, out->n_reported, &capacity,
                                        sizeof *out->reported);
        out->reported[out->n_reported++] =
            (struct tw_copy) { log->sack[r->sack].from, log->sack[r->sack].to, i };
    }
}

void tw_copies_build(const struct tw_log *log, const struct tw_sends *sends,
                     struct tw_scratch *scratch, struct tw_copies *out)
{
    *out = (struct tw_copies) { .known = true };
    find_reported(log, (enum tcpwhy_side) !sends->from, scratch, out);
    if (out->n_reported == 0)
        return;
    find_sent(sends, scratch, out);
    qsort(out->reported, out->n_reported, sizeof *out->reported, by_first_byte);
    qsort(out->sent, out->n_sent, sizeof *out->sent, by_first_byte);
}

/* How many begin before an offset? */
static uint32_t count_before(const struct tw_copy *copy, uint32_t n, int64_t offset)
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

bool tw_copies_all_reported(const struct tw_copies *c, const struct tw_record *repeat,
                            uint32_t record)
{
    int64_t from = repeat->seq, to = repeat->seq + repeat->len;
    uint32_t reports = count_before(c->reported, c->n_reported, from + 1);
    uint32_t copies = count_before(c->sent, c->n_sent, to), reported = 0, sent = 0;

    for (uint32_t i = reports - MIN(reports, LOOK_AT); i < reports; i++)
        reported += c->reported[i].to >= to && c->reported[i].record > record;
    if (reported == 0)
        return false;
    for (uint32_t i = copies - MIN(copies, LOOK_AT); i < copies; i++)
        sent += c->sent[i].to > from && c->sent[i].record >= record;
    return reported >= sent;
}
