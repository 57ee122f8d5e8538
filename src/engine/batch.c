/* SPDX-License-Identifier: MIT */
#include "engine/batch.h"

#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include "engine/prefetch.h"

/* All but the jobs is zero-initialised. */
struct tw_batch *tw_batch_new(void)
{
    struct tw_batch *batch = tw_new(struct tw_batch, 1);

    memset(batch, 0, offsetof(struct tw_batch, job));
    return batch;
}

void tw_batch_add(struct tw_batch *batch, const struct tw_ended *ended)
{
    batch->job[batch->n++].ended = *ended;
    batch->records += ended->log->n;
    batch->bytes += tw_log_bytes(ended->log) + tw_connection_bytes(ended->connection);
}

bool tw_batch_is_full(const struct tw_batch *batch)
{
    return batch->n == TW_BATCH_TALES || batch->records >= TW_BATCH_RECORDS;
}

/* Results of another thread are in that core's cache. */
static void fetch(const struct tw_ended *ended)
{
    tw_prefetch_load_ended(ended->connection);
    tw_prefetch_load_result(ended->log, &ended->app);
}

void tw_batch_find_out(struct tw_batch *batch, const struct tcpwhy_options *options,
                       struct tw_connection_findings *alone)
{
    for (unsigned i = 0; i < batch->n; i++) {
        if (i + 1 < batch->n)
            fetch(&batch->job[i + 1].ended);
        tw_connection_job_run(&batch->job[i], options, alone);
    }
}

void tw_batch_free(struct tw_batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        tw_connection_job_clear(&batch->job[i]);
    tw_free(batch);
}

void tw_batch_put(struct tw_batch_queue *queue, struct tw_batch *batch)
{
    batch->next_to_do = NULL;
    if (queue->last)
        queue->last->next_to_do = batch;
    else
        queue->first = batch;
    queue->last = batch;
}

struct tw_batch *tw_batch_take(struct tw_batch_queue *queue)
{
    struct tw_batch *batch = queue->first;

    if (batch)
        queue->first = batch->next_to_do;
    if (!queue->first)
        queue->last = NULL;
    return batch;
}
