/* SPDX-License-Identifier: MIT */
/*
 * The memory bound: consumption of connections, interval of checks, and eviction.
 */
#include "engine/connection_lifetime_internal.h"
#include "base/array.h"
#include "base/options.h"

/* Temporary memory per record while explaining: at most 110 bytes in a download, 200 where each
 * frame ends a gap or is a request (measured on one connection of 600,000 and of 3 million
 * frames). */
#define SCRATCH_BYTES 208

/* Heap overhead per block. */
#define HEAP_BYTES 32

/* Share for five-tuples of closed connections: a quarter of a million at 2 GiB. They are also
 * evicted by the overall bound. */
#define TAKEN_SHARE 32
#define TAKEN_LEAST (16u << 20)

/* Share for free record blocks: 51 MB at 2 GiB, what 64 concurrent downloads leave. */
#define BLOCKS_SHARE 40

/* Below this share of the bound logs may have larger blocks than they are charged for. */
#define PLENTY_SHARE 8

void tw_lifetimes_set_bounds(struct tw_lifetimes *lifetimes)
{
    uint64_t memory = MIN(lifetimes->options->memory_bytes, SIZE_MAX);

    /* Half is for what is counted, a quarter for explaining one log, and a quarter for the
     * program, fragmentation and the end of the capture. Free blocks are always charged with
     * their share, as their number depends on thread timing. */
    lifetimes->blocks.most_bytes = (size_t)(memory / BLOCKS_SHARE);
    lifetimes->memory.bound = (size_t)(memory / 2) - lifetimes->blocks.most_bytes;
    lifetimes->memory.most_records = (uint32_t)MIN(memory / 4 / SCRATCH_BYTES, UINT32_MAX / 2);
}

void tw_lifetimes_count(struct tw_lifetimes *lifetimes, struct tw_life *life)
{
    size_t bytes = sizeof *life + HEAP_BYTES + tw_connection_bytes(life->connection);

    if (life->log)
        bytes += tw_log_bytes(life->log) - sizeof life->own + tw_app_bytes(&life->app);
    if (life->log && life->log->n > life->log_records)
        life->log_records = tw_log_block_records(life->log->n);
    lifetimes->memory.live_bytes += bytes - life->bytes;
    if (life->waits) {
        lifetimes->memory.waiting_bytes += bytes - life->bytes;
        tw_lifetimes_set_due(lifetimes);
    }
    life->bytes = bytes;
}

static void count_grown(struct tw_lifetimes *lifetimes)
{
    for (unsigned i = 0; i < lifetimes->memory.n_grown; i++) {
        struct tw_life *life = lifetimes->memory.grown[i];

        if (!life)
            continue;
        tw_lifetimes_count(lifetimes, life);
        life->grown = 0;
    }
    lifetimes->memory.n_grown = 0;
}

static int by_time(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* Time since which the quieter half of the open connections has been quiet. */
static tcpwhy_ns median_quiet(const struct tw_lifetimes *lifetimes, guint *n)
{
    tw_array *times = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    tcpwhy_ns median = 0;

    for (struct tw_connection *c = tw_tracker_first(lifetimes->tracker); c; c = c->next)
        tw_array_append_val(times, c->last_ns);
    tw_array_sort(times, by_time);
    *n = times->len;
    if (times->len > 0)
        median = tw_array_index(times, tcpwhy_ns, (times->len - 1) / 2);
    tw_array_free(times, TRUE);
    return median;
}

/* End the half that is quiet longest; report a single one so far. */
static void end_quiet(struct tw_lifetimes *lifetimes, struct tw_life *current, uint32_t frame)
{
    guint n;
    tcpwhy_ns median = median_quiet(lifetimes, &n);
    uint64_t count_ended = 0;
    struct tw_connection *next;

    for (struct tw_connection *c = tw_tracker_first(lifetimes->tracker); c; c = next) {
        next = c->next;
        if (c->last_ns > median || c->log == current)
            continue;
        tw_lifetimes_end(lifetimes, c);
        count_ended++;
    }
    if (count_ended == 0 && current && current->log && current->log->n > 0) {
        tw_lifetimes_split(lifetimes, current);
        count_ended = 1;
    }
    tw_builder_note(lifetimes->builder, TW_BOUND_SPLIT, count_ended, frame);
}

static size_t used(const struct tw_lifetimes *lifetimes)
{
    return lifetimes->memory.live_bytes + lifetimes->memory.told_bytes +
           tw_tracker_bytes(lifetimes->tracker);
}

/* Known once everything is reported, so that decisions do not depend on the number of threads. */
static size_t told_bytes(struct tw_lifetimes *lifetimes)
{
    if (!tw_worker_pool_drain(lifetimes->pool))
        lifetimes->stopped = true;
    return tw_builder_bytes(lifetimes->builder);
}

/*
 * Evict in this order: free blocks, closed connections, five-tuples, rows, logs of quiet
 * connections.
 */
static void make_room(struct tw_lifetimes *lifetimes, struct tw_life *current, uint32_t frame)
{
    tw_log_blocks_clear(&lifetimes->blocks);
    while (lifetimes->first && used(lifetimes) > lifetimes->memory.bound) {
        if (lifetimes->first == current)
            current = NULL;
        tw_lifetimes_end(lifetimes, lifetimes->first->connection);
    }
    lifetimes->memory.told_bytes = told_bytes(lifetimes);
    for (int i = 0; i < 8 && used(lifetimes) > lifetimes->memory.bound; i++) {
        if (tw_tracker_bytes(lifetimes->tracker) > lifetimes->memory.bound / 4)
            tw_builder_note(lifetimes->builder, TW_BOUND_FORGOTTEN,
                            tw_tracker_forget(lifetimes->tracker), frame);
        else if (lifetimes->memory.told_bytes > lifetimes->memory.bound / 2)
            tw_builder_shrink(lifetimes->builder);
        else
            end_quiet(lifetimes, current, frame);
        lifetimes->memory.told_bytes = told_bytes(lifetimes);
    }
}

/*
 * Five-tuples expire, however many there are. With labels, which depend on stream numbers, and when
 * following payload, all are kept while memory lasts.
 */
static void forget_late(struct tw_lifetimes *lifetimes, const struct tw_tracked *t)
{
    const struct tcpwhy_options *options = lifetimes->options;
    uint64_t most = MAX(options->memory_bytes / TAKEN_SHARE, TAKEN_LEAST);

    if (options->wireshark || tw_callbacks(options)->on_segment || tw_callbacks(options)->on_follow)
        return;
    tw_tracker_expire(lifetimes->tracker, t->time_ns);
    if (tw_tracker_taken_bytes(lifetimes->tracker) > most)
        tw_builder_note(lifetimes->builder, TW_BOUND_FORGOTTEN,
                        tw_tracker_forget(lifetimes->tracker), t->frame);
}

__attribute__((noinline)) void tw_lifetimes_look_at_memory(struct tw_lifetimes *lifetimes,
                                                           struct tw_life *life,
                                                           const struct tw_tracked *t)
{
    lifetimes->memory.frames = CHECK_FRAMES;
    count_grown(lifetimes);
    forget_late(lifetimes, t);
    if (used(lifetimes) > lifetimes->memory.bound)
        make_room(lifetimes, life, t->frame);
    lifetimes->blocks.plenty = used(lifetimes) < lifetimes->memory.bound / PLENTY_SHARE;
}
