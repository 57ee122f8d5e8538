/* SPDX-License-Identifier: MIT */
/*
 * The frames of one connection that wait until it is known in which order they passed: that of the
 * file, or, once that was found wrong, that of their times.
 */
#ifndef TW_ENGINE_RESEQUENCE_QUEUE_H
#define TW_ENGINE_RESEQUENCE_QUEUE_H

#include "engine/prefetch.h"

struct tw_waiting {
    struct tw_waiting *previous, *next;
    struct tw_prefetch_segment a;
    uint8_t bytes[]; /* its TCP header and its payload */
};

struct tw_resequence_queue {
    uint64_t hash;
    struct tw_waiting *first, *last;
};

/* A copy, with its bytes. Freed by g_free(). */
struct tw_waiting *tw_waiting_new(const struct tw_prefetch_segment *a);

/* Are the two of one side? And of which? */
bool tw_waiting_are_alike(const struct tw_waiting *a, const struct tw_waiting *b);
int tw_waiting_side(const struct tw_waiting *waiting, const struct tw_connection *connection);

/* Put it where it belongs. connection: NULL when it is not known. */
void tw_resequence_queue_put(struct tw_resequence_queue *queue, struct tw_waiting *waiting,
                             const struct tw_connection *connection);
void tw_resequence_queue_take_off(struct tw_resequence_queue *queue, struct tw_waiting *waiting);

/* Put all anew, as more is known of the times. */
void tw_resequence_queue_sort(struct tw_resequence_queue *queue,
                              const struct tw_connection *connection);

/* The frame that brings what the first one acknowledges, of that sequence number and no longer
 * before or after it than that; or NULL. */
const struct tw_waiting *tw_resequence_queue_awaited(const struct tw_resequence_queue *queue,
                                                     uint32_t lacks, tcpwhy_ns within_ns);

/* The frame that opened the window for the first one, no longer before or after it than that; or
 * NULL. */
const struct tw_waiting *tw_resequence_queue_opener(const struct tw_resequence_queue *queue,
                                                    const struct tw_connection *connection,
                                                    tcpwhy_ns within_ns);

void tw_resequence_queue_clear(struct tw_resequence_queue *queue);

#endif
