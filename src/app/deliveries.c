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
    if (out->n == before)
        return;
    out->filled = true;
    tw_ranges_remove(holes, from, to);
}

#define NOT_BEGUN INT64_MIN

/* One direction on the way through the log. */
struct progress {
    int64_t next; /* behind the highest byte so far; or NOT_BEGUN */
    struct tw_ranges holes;
};

static void begin(struct progress *p, struct tw_deliveries *out)
{
    *p = (struct progress) { .next = NOT_BEGUN };
    out->delivery = out->first;
    out->n = 0;
    out->capacity = G_N_ELEMENTS(out->first);
    out->filled = false;
    out->found = 0;
}

/* What lies behind a hole, or does not. */
static void take_elsewhere(struct progress *p, int64_t low, int64_t high, uint32_t record,
                           struct tw_deliveries *out)
{
    if (p->next == NOT_BEGUN)
        p->next = low;
    if (p->holes.n > 0 && low < p->next)
        fill_holes(&p->holes, low, MIN(high, p->next), record, out);
    if (high <= p->next)
        return;
    if (low > p->next)
        tw_ranges_add(&p->holes, p->next, low);
    deliver(out, MAX(low, p->next), high, record);
    p->next = high;
}

static void take(struct progress *p, const struct tw_record *r, uint32_t record,
                 struct tw_deliveries *out)
{
    int64_t low = r->seq + !!(r->flags & TW_SYN), high = low + r->len;

    if (low != p->next || high == low) {
        take_elsewhere(p, low, high, record, out);
        return;
    }
    deliver(out, low, high, record);
    p->next = high;
}

/* Of a record with payload. */
static bool delivers(const struct tw_record *r)
{
    return r->frame_class == TCPWHY_CLASS_DATA || r->flags & TW_SYN ||
           (!(r->flags & TW_RST) && r->frame_class != TCPWHY_CLASS_KEEP_ALIVE &&
            r->frame_class != TCPWHY_CLASS_WINDOW_PROBE);
}

void tw_deliveries_collect(const struct tw_log *log, struct tw_deliveries out[2])
{
    struct progress progress[2];
    int64_t ack[2] = { 0, 0 }, fin[2] = { TW_NO_FIN, TW_NO_FIN }; /* by sender */

    for (int side = 0; side < 2; side++)
        begin(&progress[side], &out[side]);
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->ack > ack[r->from])
            ack[r->from] = r->ack;
        if (r->len == 0 && !(r->flags & (TW_SYN | TW_FIN)))
            continue;
        if (r->flags & TW_FIN && !(r->flags & TW_RST))
            fin[r->from] = tw_record_end(r) - 1;
        if (r->len > 0 ? delivers(r) : r->flags & TW_SYN)
            take(&progress[r->from], r, i, &out[r->from]);
    }
    for (int side = 0; side < 2; side++) {
        out[side].acked = ack[!side];
        out[side].fin = fin[side];
        tw_ranges_clear(&progress[side].holes);
    }
}

static int by_offset(const void *a, const void *b)
{
    const struct tw_delivery *x = a, *y = b;

    return (x->from > y->from) - (x->from < y->from);
}

/* Take those out that begin before one that came earlier. @return how many. */
static uint32_t take_late(struct tw_deliveries *d, struct tw_delivery *late)
{
    uint32_t n = 0, n_late = 0;

    for (uint32_t i = 0; i < d->n; i++) {
        if (n > 0 && d->delivery[i].from < d->delivery[n - 1].from)
            late[n_late++] = d->delivery[i];
        else
            d->delivery[n++] = d->delivery[i];
    }
    return n_late;
}

/* Few are late, and the others are in order: to sort the few and merge them is one way through. */
void tw_deliveries_sort_by_offset(struct tw_deliveries *d)
{
    struct tw_delivery *late;
    uint32_t n_late, n, at = d->n;

    if (!d->filled)
        return;
    late = g_new(struct tw_delivery, d->n);
    n_late = take_late(d, late);
    n = d->n - n_late;
    qsort(late, n_late, sizeof *late, by_offset);
    while (n_late > 0) {
        bool is_late = n == 0 || late[n_late - 1].from >= d->delivery[n - 1].from;

        d->delivery[--at] = is_late ? late[--n_late] : d->delivery[--n];
    }
    g_free(late);
}

void tw_deliveries_clear(struct tw_deliveries *deliveries)
{
    if (deliveries->delivery != deliveries->first)
        g_free(deliveries->delivery);
}

/* Index of the first delivery that ends behind offset; those before at do not, and it is near. */
static uint32_t first_behind(const struct tw_deliveries *d, uint32_t at, int64_t offset)
{
    uint32_t low = at, high = at, step = 1;

    while (high < d->n && d->delivery[high].to <= offset) {
        low = high + 1;
        high = d->n - high > step ? high + step : d->n;
        step *= 2;
    }
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (d->delivery[middle].to <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The latest record of the deliveries from at on that begin before to, of which there is one. */
static uint32_t latest(const struct tw_deliveries *d, uint32_t at, int64_t to)
{
    uint32_t record = d->delivery[at].record;

    if (!d->filled) {
        uint32_t last = first_behind(d, at, to - 1);

        if (last == d->n || d->delivery[last].from >= to)
            last--;
        return d->delivery[last].record;
    }
    for (; at < d->n && d->delivery[at].from < to; at++)
        record = MAX(record, d->delivery[at].record);
    return record;
}

bool tw_deliveries_find(struct tw_deliveries *d, int64_t from, int64_t to, uint32_t *first,
                        uint32_t *whole)
{
    bool goes_on = d->found > 0 && d->delivery[d->found - 1].to <= from;
    uint32_t i = first_behind(d, goes_on ? d->found : 0, from);

    d->found = i;
    if (i == d->n || d->delivery[i].from >= to || from >= to)
        return false;
    *first = d->delivery[i].record;
    *whole = latest(d, i, to);
    return true;
}
