/* SPDX-License-Identifier: MIT */
/*
 * Frames of one connection that wait for their order: that of the file, or, once it was found
 * wrong, that of their times.
 */
#ifndef TW_ENGINE_RESEQUENCE_QUEUE_H
#define TW_ENGINE_RESEQUENCE_QUEUE_H

#include "base/memory.h"
#include "engine/prefetch.h"

struct tw_waiting {
    struct tw_waiting *previous, *next;
    struct tw_prefetch_segment a;
    uint8_t bytes[]; /* TCP header and payload */
};

struct tw_resequence_queue {
    uint64_t hash;
    struct tw_waiting *first, *last;
};

/* A copy with its bytes. Freed by tw_free(). */
struct tw_waiting *tw_waiting_new(const struct tw_prefetch_segment *a);

/* Are both from one side? Which? */
bool tw_waiting_are_alike(const struct tw_waiting *a, const struct tw_waiting *b);
int tw_waiting_side(const struct tw_waiting *waiting, const struct tw_connection *connection);

/* Insert a frame. connection: NULL if unknown. */
void tw_resequence_queue_put(struct tw_resequence_queue *queue, struct tw_waiting *waiting,
                             const struct tw_connection *connection);
void tw_resequence_queue_take_off(struct tw_resequence_queue *queue, struct tw_waiting *waiting);

/* Sort again, as more is known about the times. */
void tw_resequence_queue_sort(struct tw_resequence_queue *queue,
                              const struct tw_connection *connection);

/* The frame with the data that the first one acknowledges, within that time; or NULL. */
const struct tw_waiting *tw_resequence_queue_awaited(const struct tw_resequence_queue *queue,
                                                     uint32_t lacks, tcpwhy_ns within_ns);

/* The frame that opened the window for the first one, within that time; or NULL. */
const struct tw_waiting *tw_resequence_queue_opener(const struct tw_resequence_queue *queue,
                                                    const struct tw_connection *connection,
                                                    tcpwhy_ns within_ns);

void tw_resequence_queue_clear(struct tw_resequence_queue *queue);

#endif
