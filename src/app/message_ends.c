/* SPDX-License-Identifier: MIT */
#include "app/message_ends.h"

#include <stdlib.h>

#include <glib.h>

#include "base/memory.h"

static int by_offset(const void *a, const void *b)
{
    const struct tw_message_end *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void add(struct tw_message_ends *ends, int64_t from, int64_t to, uint32_t exchange)
{
    if (from >= to)
        return;
    ends->end[ends->n++] = (struct tw_message_end) { from, exchange, false };
    ends->end[ends->n++] = (struct tw_message_end) { to - 1, exchange, true };
}

void tw_message_ends_begin(struct tw_message_ends *ends, const struct tw_exchanges *all,
                           enum tcpwhy_side side)
{
    *ends = (struct tw_message_ends) { .end = tw_new(struct tw_message_end, 2 * (size_t)all->n) };
    for (uint32_t i = 0; i < all->n; i++) {
        const struct tw_exchange *e = &all->exchange[i];

        if (e->asker == side)
            add(ends, e->request_from, e->request_to, i);
        else
            add(ends, e->response_from, e->response_to, i);
    }
    if (ends->n > 0)
        qsort(ends->end, ends->n, sizeof *ends->end, by_offset);
}

static uint32_t *record_of(struct tw_exchange *e, enum tcpwhy_side side, bool last)
{
    if (e->asker == side)
        return last ? &e->request_last : &e->request_first;
    return last ? &e->response_last : &e->response_first;
}

void tw_message_ends_take(struct tw_message_ends *ends, struct tw_exchanges *all,
                          enum tcpwhy_side side, int64_t from, int64_t to, uint32_t record)
{
    for (; ends->at < ends->n && ends->end[ends->at].offset < to; ends->at++) {
        const struct tw_message_end *end = &ends->end[ends->at];

        if (end->offset >= from)
            *record_of(&all->exchange[end->exchange], side, end->last) = record;
    }
}

void tw_message_ends_clear(struct tw_message_ends *ends)
{
    tw_free(ends->end);
    *ends = (struct tw_message_ends) { 0 };
}
