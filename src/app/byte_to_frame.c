/* SPDX-License-Identifier: MIT */
#include "app/byte_to_frame.h"

#include <stdlib.h>

#include <glib.h>

#include "base/memory.h"

void tw_byte_to_frame_begin(struct tw_byte_to_frame *d)
{
    *d = (struct tw_byte_to_frame) { .next = TW_NOT_BEGUN, .syn_to = INT64_MAX };
}

void tw_byte_to_frame_heed_answer(struct tw_byte_to_frame *d, const struct tw_log *log,
                                  enum tcpwhy_side side)
{
    const struct tw_record *r = log->record, *end = r + log->n;

    while (r < end && r->flags & TW_SYN && (r->from == side || !(r->flags & TW_ACK)))
        r++;
    if (r < end && r->flags & TW_SYN)
        d->syn_to = MAX(r->ack, TW_FIRST_BYTE);
}

void tw_byte_to_frame_clear(struct tw_byte_to_frame *d)
{
    tw_ranges_clear(&d->holes);
    tw_free(d->late);
}

int64_t tw_byte_to_frame_first(const struct tw_byte_to_frame *d)
{
    return d->next > d->begin ? d->begin : TW_FIRST_BYTE;
}

static void keep_late(struct tw_byte_to_frame *d, int64_t from, int64_t to, uint32_t record)
{
    if (d->n_late == d->late_capacity) {
        d->late_capacity = d->late_capacity ? 2 * d->late_capacity : 16;
        d->late = tw_renew(struct tw_late, d->late, d->late_capacity);
    }
    d->late[d->n_late++] = (struct tw_late) { from, to, record };
}

/* Record the parts of [from, to) that fill holes, and close those. */
static void fill_holes(struct tw_byte_to_frame *d, int64_t from, int64_t to, uint32_t record)
{
    const struct tw_ranges *holes = &d->holes;
    uint32_t before = d->n_late;

    for (uint32_t i = tw_ranges_find(holes, from); i < holes->n && holes->range[i].from < to; i++) {
        int64_t low = MAX(holes->range[i].from, from), high = MIN(holes->range[i].to, to);

        if (low < high)
            keep_late(d, low, high, record);
    }
    if (d->n_late > before)
        tw_ranges_remove(&d->holes, from, to);
}

static bool delivers(const struct tw_record *r)
{
    return r->frame_class == TCPWHY_CLASS_DATA || r->flags & TW_SYN ||
           (!(r->flags & TW_RST) && r->frame_class != TCPWHY_CLASS_KEEP_ALIVE &&
            r->frame_class != TCPWHY_CLASS_WINDOW_PROBE);
}

__attribute__((noinline)) bool
tw_byte_to_frame_take_other(struct tw_byte_to_frame *d, const struct tw_record *r, uint32_t record)
{
    int64_t from = r->seq + !!(r->flags & TW_SYN), to = from + r->len;

    if (r->flags & TW_SYN)
        to = MIN(to, d->syn_to);
    if (!delivers(r))
        return false;
    if (d->next == TW_NOT_BEGUN)
        d->next = d->begin = from;
    if (d->holes.n > 0 && from < d->next)
        fill_holes(d, from, MIN(to, d->next), record);
    if (to <= d->next)
        return false;
    if (from > d->next)
        tw_ranges_add(&d->holes, d->next, from);
    d->ahead = MAX(from, d->next);
    if (d->next == d->begin)
        d->begin = d->ahead;
    d->next = to;
    return d->ahead < to; /* a SYN has no bytes, wherever they seem to begin */
}

static int by_offset(const void *a, const void *b)
{
    const struct tw_late *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* Index of the first late delivery that ends after offset. */
static uint32_t first_behind(const struct tw_byte_to_frame *d, int64_t offset)
{
    uint32_t low = 0, high = d->n_late;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (d->late[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tw_byte_to_frame_find_late(struct tw_byte_to_frame *d, int64_t from, int64_t to,
                                struct tw_late *lowest, uint32_t *last)
{
    uint32_t i;

    if (d->n_late == 0 || from >= to)
        return false;
    if (!d->sorted)
        qsort(d->late, d->n_late, sizeof *d->late, by_offset);
    d->sorted = true;
    i = first_behind(d, from);
    if (i == d->n_late || d->late[i].from >= to)
        return false;
    *lowest = d->late[i];
    lowest->from = MAX(lowest->from, from);
    for (*last = d->late[i].record; i < d->n_late && d->late[i].from < to; i++)
        *last = MAX(*last, d->late[i].record);
    return true;
}

int64_t tw_fin_of(const struct tw_log *log, enum tcpwhy_side side)
{
    for (uint32_t i = log->n; i-- > 0;) {
        const struct tw_record *r = &log->record[i];

        if (r->from == side && (r->flags & (TW_FIN | TW_RST)) == TW_FIN)
            return tw_record_end(r) - 1;
    }
    return TW_NO_FIN;
}

bool tw_is_acknowledged(const struct tw_log *log, enum tcpwhy_side side, int64_t to)
{
    for (uint32_t i = log->n; i-- > 0;)
        if (log->record[i].from != side && log->record[i].ack >= to)
            return true;
    return to <= 0;
}
