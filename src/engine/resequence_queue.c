/* SPDX-License-Identifier: MIT */
#include "engine/resequence_queue.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "track/ack_before_data.h"

struct tw_waiting *tw_waiting_new(const struct tw_prefetch_segment *a)
{
    const size_t header = tw_segment_header(&a->segment).len;
    const size_t len = header + a->segment.payload.len;
    struct tw_waiting *w = tw_malloc(sizeof *w + len);

    w->a = *a;
    if (len > 0)
        memcpy(w->bytes, a->segment.payload.data - header, len);
    w->a.segment.payload.data = w->bytes + header;
    return w;
}

static bool is_from(const struct tw_tuple *t, const struct tw_tuple *other, int end)
{
    return t->port[0] == other->port[end] &&
           memcmp(t->address[0], other->address[end], sizeof t->address[0]) == 0;
}

bool tw_waiting_are_alike(const struct tw_waiting *a, const struct tw_waiting *b)
{
    return is_from(&a->a.segment.tuple, &b->a.segment.tuple, 0);
}

int tw_waiting_side(const struct tw_waiting *w, const struct tw_connection *c)
{
    return is_from(&w->a.segment.tuple, &c->tuple, 0) ? TCPWHY_CLIENT : TCPWHY_SERVER;
}

/* Best estimate of its time. */
static tcpwhy_ns passed_ns(const struct tw_waiting *w, const struct tw_connection *c)
{
    return w->a.now - c->late_ns[tw_waiting_side(w, c)];
}

/* Frames of one side stay in order, as they pass one queue. */
void tw_resequence_queue_put(struct tw_resequence_queue *queue, struct tw_waiting *w,
                             const struct tw_connection *c)
{
    struct tw_waiting *previous = queue->last;

    while (c && c->astray && previous && !tw_waiting_are_alike(previous, w) &&
           passed_ns(previous, c) > passed_ns(w, c))
        previous = previous->previous;
    w->previous = previous;
    w->next = previous ? previous->next : queue->first;
    *(w->next ? &w->next->previous : &queue->last) = w;
    *(previous ? &previous->next : &queue->first) = w;
}

void tw_resequence_queue_take_off(struct tw_resequence_queue *queue, struct tw_waiting *w)
{
    *(w->next ? &w->next->previous : &queue->last) = w->previous;
    *(w->previous ? &w->previous->next : &queue->first) = w->next;
}

void tw_resequence_queue_sort(struct tw_resequence_queue *queue, const struct tw_connection *c)
{
    struct tw_waiting *w = queue->first, *next;

    queue->first = queue->last = NULL;
    for (; w; w = next) {
        next = w->next;
        tw_resequence_queue_put(queue, w, c);
    }
}

/* Does it contain the byte, SYN or FIN of that sequence number? */
static bool brings(const struct tw_segment *s, uint32_t seq)
{
    return seq - s->seq < s->len + !!(s->flags & TW_SYN) + !!(s->flags & TW_FIN);
}

const struct tw_waiting *tw_resequence_queue_awaited(const struct tw_resequence_queue *queue,
                                                     uint32_t lacks, tcpwhy_ns within_ns)
{
    const struct tw_waiting *first = queue->first;

    for (const struct tw_waiting *w = first->next; w; w = w->next)
        if (brings(&w->a.segment, lacks) && !tw_waiting_are_alike(w, first) &&
            ABS(w->a.now - first->a.now) <= within_ns)
            return w;
    return NULL;
}

const struct tw_waiting *tw_resequence_queue_opener(const struct tw_resequence_queue *queue,
                                                    const struct tw_connection *c,
                                                    tcpwhy_ns within_ns)
{
    const struct tw_waiting *first = queue->first;

    for (const struct tw_waiting *w = first->next; w; w = w->next)
        if (!tw_waiting_are_alike(w, first) && ABS(w->a.now - first->a.now) <= within_ns &&
            tw_opens_window(c, (enum tcpwhy_side)tw_waiting_side(w, c), &w->a.segment,
                            &first->a.segment))
            return w;
    return NULL;
}

void tw_resequence_queue_clear(struct tw_resequence_queue *queue)
{
    for (struct tw_waiting *w = queue->first, *next; w; w = next) {
        next = w->next;
        tw_free(w);
    }
}
