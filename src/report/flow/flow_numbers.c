/* SPDX-License-Identifier: MIT */
/*
 * Numbers count in the stream, not in what is shown of it: the first duplicate ACK of a picture may
 * be the fortieth.
 */
#include "base/array.h"
#include "base/counts.h"
#include "report/flow/flow_numbers.h"

/* The newest numbered frame of a side and class. */
struct numbered {
    const struct tw_record *record;
    uint32_t nth;
};

/* The numbers of a stream. */
struct numbers {
    struct numbered newest[2][TW_N_CLASSES];
};

/* Duplicate ACKs are counted from the last frame of that side that was none, SYNs from the first.
 */
static uint32_t alike_before(const struct tw_log *log, const struct tw_record *r,
                             const struct numbered *newest)
{
    uint32_t n = 0;

    for (const struct tw_record *p = r; p-- > log->record;) {
        if (p == newest->record)
            return n + newest->nth;
        if (p->from != r->from)
            continue;
        if (p->frame_class == r->frame_class)
            n++;
        else if (r->frame_class == TCPWHY_CLASS_DUPLICATE_ACK)
            break;
    }
    return n;
}

static uint32_t number_of(const struct tw_log *log, const struct tw_record *r,
                          struct numbers *numbers)
{
    struct numbered *newest = &numbers->newest[r->from][r->frame_class];

    newest->nth = alike_before(log, r, newest) + 1;
    newest->record = r;
    return newest->nth;
}

static void number(const struct tw_log *log, struct numbers *numbers, struct tw_flow_row *row)
{
    if (row->kind != TW_FLOW_FRAME && row->kind != TW_FLOW_RUN)
        return;
    if (row->duplicate && row->n_duplicates == row->n_acks)
        row->nth_duplicate = number_of(log, row->duplicate, numbers);
    switch (row->first->frame_class) {
    case TCPWHY_CLASS_DUPLICATE_ACK:
        row->nth = number_of(log, row->first, numbers);
        break;
    case TCPWHY_CLASS_SYN:
    case TCPWHY_CLASS_SYN_ACK:
        row->nth = number_of(log, row->first, numbers);
        /* One SYN is nothing to count. */
        if (row->nth == 1)
            row->nth = 0;
        break;
    default:
        break;
    }
}

void tw_flow_number_repeats(const struct tw_flow_source *source, uint32_t n_sources, tw_array *rows)
{
    struct numbers *numbers = tw_new0(struct numbers, n_sources);

    for (guint i = 0; i < rows->len; i++) {
        struct tw_flow_row *row = &tw_array_index(rows, struct tw_flow_row, i);

        number(source[row->source].log, &numbers[row->source], row);
    }
    tw_free(numbers);
}
