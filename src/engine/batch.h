/* SPDX-License-Identifier: MIT */
/*
 * Batches of ended connections, large enough to wake a worker, and queues of them. The worker pool
 * decides on ownership.
 */
#ifndef TW_ENGINE_BATCH_H
#define TW_ENGINE_BATCH_H

#include "engine/connection_job.h"

#define TW_BATCH_TALES   64
#define TW_BATCH_RECORDS 8192

struct tw_batch {
    unsigned n;
    size_t records, bytes;
    bool done;
    bool at_home; /* done by the reading thread */
    struct tw_batch *next, *next_to_do;
    struct tw_connection_job job[TW_BATCH_TALES];
};

struct tw_batch *tw_batch_new(void);
void tw_batch_add(struct tw_batch *batch, const struct tw_ended *ended);
bool tw_batch_is_full(const struct tw_batch *batch);

/* Run the jobs of the batch. */
void tw_batch_find_out(struct tw_batch *batch, const struct tcpwhy_options *options,
                       struct tw_connection_findings *alone);

/* Free the results, too. */
void tw_batch_free(struct tw_batch *batch);

/* Linked by next_to_do. */
struct tw_batch_queue {
    struct tw_batch *first, *last;
};

void tw_batch_put(struct tw_batch_queue *queue, struct tw_batch *batch);

/* @return the first, or NULL. */
struct tw_batch *tw_batch_take(struct tw_batch_queue *queue);

#endif
