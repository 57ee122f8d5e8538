/* SPDX-License-Identifier: MIT */
#include "engine/resequencer.h"

#include <string.h>

#include "base/memory.h"
#include "engine/resequence_queue.h"
#include "track/ack_before_data.h"

/* Interrupt moderation and queue polling stay within this time on any card. */
#define LATEST TCPWHY_MS(4)

/* Limits for all connections together; bytes of payload. */
#define FRAMES_MOST 1024
#define BYTES_MOST  (2u << 20)

void tw_resequencer_init(struct tw_resequencer *order, struct tw_tracker *tracker,
                         tw_resequencer_take_fn *take, void *user)
{
    *order = (struct tw_resequencer) { .tracker = tracker, .take = take, .user = user };
}

void tw_resequencer_clear(struct tw_resequencer *order)
{
    for (unsigned i = 0; i < order->n; i++)
        tw_resequence_queue_clear(&order->queue[i]);
    order->n = 0;
}

static struct tw_connection *connection_of(struct tw_resequencer *order, const struct tw_waiting *w)
{
    return tw_tracker_find(order->tracker, &w->a.segment.tuple);
}

static void append(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                   const struct tw_prefetch_segment *a)
{
    struct tw_waiting *w = tw_waiting_new(a);

    tw_resequence_queue_put(queue, w, connection_of(order, w));
    order->frames++;
    order->bytes += a->segment.payload.len;
}

static void note_misplaced(struct tw_connection *c, uint32_t frame)
{
    if (!c || frame > c->last_frame)
        return;
    if (c->misplaced++ == 0)
        c->first_misplaced = frame;
}

/* It need not wait any more. */
static void release(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                    struct tw_waiting *w)
{
    note_misplaced(connection_of(order, w), w->a.frame);
    tw_resequence_queue_take_off(queue, w);
    order->frames--;
    order->bytes -= w->a.segment.payload.len;
    order->busy = true;
    order->stopped = !order->take(order->user, &w->a);
    order->busy = false;
    tw_free(w);
}

/*
 * The first frame's data has arrived: the file's order is wrong. If the times have it right, they
 * are used; otherwise the late frame was also stamped late.
 */
static void learn(struct tw_connection *c, const struct tw_waiting *first,
                  const struct tw_waiting *awaited)
{
    tcpwhy_ns *late_ns = &c->late_ns[tw_waiting_side(awaited, c)];

    c->vain = 0;
    c->astray |= awaited->a.now != first->a.now;
    *late_ns = MAX(*late_ns, awaited->a.now - first->a.now);
}

/* Process the peer's frames up to the awaited one, then the first. Timestamps may be late but
 * never early: data precedes its ACK. */
static void take_before_first(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                              const struct tw_waiting *last)
{
    struct tw_waiting *first = queue->first, *w = first->next, *next;

    for (bool done = false; !done && !order->stopped; w = next) {
        next = w->next;
        done = w == last;
        if (tw_waiting_are_alike(w, first))
            continue;
        w->a.now = MIN(w->a.now, first->a.now);
        release(order, queue, w);
    }
    if (!order->stopped)
        release(order, queue, first);
}

/* If it was placed before frames of the peer with earlier times, its own is too late. */
static void take_first(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                       const struct tw_connection *c)
{
    struct tw_waiting *first = queue->first, *other = first->next;

    while (other && tw_waiting_are_alike(other, first))
        other = other->next;
    if (c && c->astray && other)
        first->a.now = MIN(first->a.now, other->a.now);
    release(order, queue, first);
}

static bool is_due(const struct tw_resequencer *order, const struct tw_waiting *w, tcpwhy_ns now)
{
    return order->ends || order->frames >= FRAMES_MOST || order->bytes >= BYTES_MOST ||
           ABS(now - w->a.now) > LATEST;
}

/* In a connection with frames out of order: what certainly passed before the first. */
static const struct tw_waiting *opener(const struct tw_resequence_queue *queue,
                                       const struct tw_connection *c)
{
    const struct tw_segment *s = &queue->first->a.segment;

    if (!c || !c->astray ||
        !tw_is_beyond_window(c, (enum tcpwhy_side)tw_waiting_side(queue->first, c), s))
        return NULL;
    return tw_resequence_queue_opener(queue, c, LATEST);
}

/* The first frame waited for it. */
static void take_awaited(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                         struct tw_connection *c, const struct tw_waiting *awaited)
{
    learn(c, queue->first, awaited);
    take_before_first(order, queue, awaited);
    if (queue->first)
        tw_resequence_queue_sort(queue, connection_of(order, queue->first));
}

/* Process a queue's first frame, after those that belong before it. @return false if it has to
 * wait. */
static bool settle_first(struct tw_resequencer *order, struct tw_resequence_queue *queue,
                         tcpwhy_ns now)
{
    struct tw_connection *c = connection_of(order, queue->first);
    const bool due = is_due(order, queue->first, now);
    const struct tw_waiting *awaited;
    uint32_t lacks;

    if (c && c->astray && !due)
        return false;
    if (!c || !tw_tracker_is_early(order->tracker, &queue->first->a.segment, &lacks)) {
        awaited = opener(queue, c);
        if (awaited)
            take_awaited(order, queue, c, awaited);
        else
            take_first(order, queue, c);
        return true;
    }
    awaited = tw_resequence_queue_awaited(queue, lacks, LATEST);
    if (!awaited && !due)
        return false;
    if (awaited) {
        take_awaited(order, queue, c, awaited);
    } else {
        c->vain++;
        take_first(order, queue, c);
    }
    return true;
}

/* @return whether the queue is empty. */
static bool settle(struct tw_resequencer *order, struct tw_resequence_queue *queue, tcpwhy_ns now)
{
    while (queue->first && !order->stopped && settle_first(order, queue, now))
        continue;
    return !queue->first;
}

static void remove_desk(struct tw_resequencer *order, unsigned i)
{
    order->n--;
    memmove(&order->queue[i], &order->queue[i + 1], (order->n - i) * sizeof *order->queue);
}

bool tw_resequencer_hold(struct tw_resequencer *order, const struct tw_prefetch_segment *a)
{
    if (order->n == TW_RESEQUENCER_QUEUES)
        return order->take(order->user, a);
    order->queue[order->n] = (struct tw_resequence_queue) { .hash = a->hash };
    append(order, &order->queue[order->n++], a);
    return true;
}

bool tw_resequencer_keeps(struct tw_resequencer *order, const struct tw_prefetch_segment *a)
{
    bool kept = false;

    if (order->busy)
        return false;
    for (unsigned i = 0; i < order->n && !order->stopped;) {
        struct tw_resequence_queue *queue = &order->queue[i];

        if (queue->hash == a->hash) {
            append(order, queue, a);
            kept = true;
        }
        if ((queue->hash == a->hash || is_due(order, queue->first, a->now)) &&
            settle(order, queue, a->now))
            remove_desk(order, i);
        else
            i++;
    }
    return kept || order->stopped;
}

void tw_resequencer_end(struct tw_resequencer *order)
{
    order->ends = true;
    while (order->n > 0 && !order->stopped)
        if (settle(order, &order->queue[0], 0))
            remove_desk(order, 0);
}
