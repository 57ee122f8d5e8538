/* SPDX-License-Identifier: MIT */
#include "app/deliveries.h"

#include <stdlib.h>

#include <glib.h>

#include "base/grow.h"
#include "base/ranges.h"

static void deliver(struct tw_deliveries *out, int64_t from, int64_t to, uint32_t record)
{
    if (out->n == out->capacity)
        out->delivery =
            tw_grow_from(out->delivery, out->first, out->n, &out->capacity, sizeof *out->delivery);
    out->delivery[out->n++] = (struct tw_delivery) { from, to, record };
}

/* Deliver what of [from, to) lies in holes, and close those. */
static void fill_holes(struct tw_ranges *holes, int64_t from, int64_t to, uint32_t record,
                       struct tw_deliveries *out)
{
    uint32_t before = out->n;

    for (uint32_t i = tw_ranges_find(holes, from); i < holes->n && holes->range[i].from < to; i++) {
        int64_t low = MAX(holes->range[i].from, from), high = MIN(holes->range[i].to, to);

        if (low < high)
            deliver(out, low, high, record);
    }
    if (out->n > before)
        tw_ranges_remove(holes, from, to);
}

static bool carries_data(const struct tw_record *r)
{
    return r->len > 0 && !(r->flags & TW_RST) && r->frame_class != TCPWHY_CLASS_KEEP_ALIVE &&
           r->frame_class != TCPWHY_CLASS_WINDOW_PROBE;
}

/* One direction on the way through the log. */
struct progress {
    int64_t next; /* behind the highest byte so far */
    bool begun;
    struct tw_ranges holes;
};

static void take(struct progress *p, const struct tw_record *r, uint32_t record,
                 struct tw_deliveries *out)
{
    int64_t low = r->seq + !!(r->flags & TW_SYN), high = low + r->len;

    if (!p->begun)
        p->next = low;
    p->begun = true;
    if (p->holes.n > 0 && low < p->next)
        fill_holes(&p->holes, low, MIN(high, p->next), record, out);
    if (high <= p->next)
        return;
    if (low > p->next)
        tw_ranges_add(&p->holes, p->next, low);
    deliver(out, MAX(low, p->next), high, record);
    p->next = high;
}

void tw_deliveries_collect(const struct tw_log *log, struct tw_deliveries out[2])
{
    struct progress progress[2] = { { .begun = false }, { .begun = false } };

    for (int side = 0; side < 2; side++) {
        out[side].delivery = out[side].first;
        out[side].n = 0;
        out[side].capacity = G_N_ELEMENTS(out[side].first);
    }
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (carries_data(r) || r->flags & TW_SYN)
            take(&progress[r->from], r, i, &out[r->from]);
    }
    for (int side = 0; side < 2; side++)
        tw_ranges_clear(&progress[side].holes);
}

static int by_offset(const void *a, const void *b)
{
    const struct tw_delivery *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

void tw_deliveries_sort_by_offset(struct tw_deliveries *d)
{
    bool sorted = true;

    for (uint32_t i = 1; i < d->n && sorted; i++)
        sorted = d->delivery[i - 1].from <= d->delivery[i].from;
    if (!sorted)
        qsort(d->delivery, d->n, sizeof *d->delivery, by_offset);
}

void tw_deliveries_clear(struct tw_deliveries *deliveries)
{
    if (deliveries->delivery != deliveries->first)
        g_free(deliveries->delivery);
}

/* Index of the first delivery that ends behind offset. */
static uint32_t lower_bound(const struct tw_deliveries *d, int64_t offset)
{
    uint32_t low = 0, high = d->n;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (d->delivery[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool tw_deliveries_find(const struct tw_deliveries *d, int64_t from, int64_t to, uint32_t *first,
                        uint32_t *whole)
{
    uint32_t i = lower_bound(d, from);

    if (i == d->n || d->delivery[i].from >= to || from >= to)
        return false;
    *first = d->delivery[i].record;
    *whole = *first;
    for (; i < d->n && d->delivery[i].from < to; i++)
        *whole = MAX(*whole, d->delivery[i].record);
    return true;
}
