/* SPDX-License-Identifier: MIT */
/*
 * The memory bound: what lives take, how often that is looked at, and what gives way when it is too
 * much.
 */
#include "engine/connection_lifetime_internal.h"

/* What explaining a record takes for a while, beside the record: no more than 110 bytes in a
 * download, 200 where each frame waits or asks (measured on one connection of 600,000 and of 3
 * million frames). */
#define SCRATCH_BYTES 208

/* What the heap takes beside the blocks of a life. */
#define HEAP_BYTES 32

/* Of the memory bound, for the five-tuples of connections that are over: a quarter of a million at
 * 2 GiB. What the bound leaves less room for gives way with everything else. */
#define TAKEN_SHARE 32
#define TAKEN_LEAST (16u << 20)

/* Of the memory bound, for records of logs that are no more: 51 MB at 2 GiB, as 64 downloads at a
 * time leave. */
#define BLOCKS_SHARE 40

/* Of the bound. While less is used than that, logs may have blocks that are larger than what counts
 * of them. */
#define PLENTY_SHARE 8

void tw_lifetimes_set_bounds(struct tw_lifetimes *lives)
{
    uint64_t memory = MIN(lives->options->memory_bytes, SIZE_MAX);

    /* Half is for what is counted. A quarter is for explaining one log, and one for the program,
     * the heap's holes and what the end of the capture needs. Blocks that wait have their share
     * of the half whether they take it or not: how many they are depends on when other threads
     * are done. */
    lives->blocks.most_bytes = (size_t)(memory / BLOCKS_SHARE);
    lives->bound = (size_t)(memory / 2) - lives->blocks.most_bytes;
    lives->most_records = (uint32_t)MIN(memory / 4 / SCRATCH_BYTES, UINT32_MAX / 2);
}

void tw_lifetimes_count(struct tw_lifetimes *lives, struct tw_life *life)
{
    size_t bytes = sizeof *life + HEAP_BYTES + tw_connection_bytes(life->connection);

    if (life->log)
        bytes += tw_log_bytes(life->log) - sizeof life->own + tw_app_bytes(&life->app);
    if (life->log && life->log->n > life->log_records)
        life->log_records = tw_log_block_records(life->log->n);
    lives->live_bytes += bytes - life->bytes;
    if (life->waits) {
        lives->waiting_bytes += bytes - life->bytes;
        tw_lifetimes_set_due(lives);
    }
    life->bytes = bytes;
}

static void count_grown(struct tw_lifetimes *lives)
{
    for (unsigned i = 0; i < lives->n_grown; i++) {
        struct tw_life *life = lives->grown[i];

        if (!life)
            continue;
        tw_lifetimes_count(lives, life);
        life->grown = 0;
    }
    lives->n_grown = 0;
}

static int by_time(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* Since when the half of the open connections that was quiet longest is quiet. */
static tcpwhy_ns median_quiet(const struct tw_lifetimes *lives, guint *n)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    tcpwhy_ns median = 0;

    for (struct tw_connection *c = tw_tracker_first(lives->tracker); c; c = c->next)
        g_array_append_val(times, c->last_ns);
    g_array_sort(times, by_time);
    *n = times->len;
    if (times->len > 0)
        median = g_array_index(times, tcpwhy_ns, (times->len - 1) / 2);
    g_array_free(times, TRUE);
    return median;
}

/* End the half that was quiet longest; of a single one, tell what there is. */
static void end_quiet(struct tw_lifetimes *lives, struct tw_life *current, uint32_t frame)
{
    guint n;
    tcpwhy_ns median = median_quiet(lives, &n);
    uint64_t count_ended = 0;
    struct tw_connection *next;

    for (struct tw_connection *c = tw_tracker_first(lives->tracker); c; c = next) {
        next = c->next;
        if (c->last_ns > median || c->log == current)
            continue;
        tw_lifetimes_end(lives, c);
        count_ended++;
    }
    if (count_ended == 0 && current && current->log && current->log->n > 0) {
        tw_lifetimes_split(lives, current);
        count_ended = 1;
    }
    tw_builder_note(lives->builder, TW_BOUND_SPLIT, count_ended, frame);
}

static size_t used(const struct tw_lifetimes *lives)
{
    return lives->live_bytes + lives->told_bytes + tw_tracker_bytes(lives->tracker);
}

/* Known when everything is told: what follows from it is then the same with any number of threads.
 */
static size_t told_bytes(struct tw_lifetimes *lives)
{
    if (!tw_worker_pool_drain(lives->teller))
        lives->stopped = true;
    return tw_builder_bytes(lives->builder);
}

/*
 * Something must give way: blocks that nobody uses; what is over and waits; what is remembered of
 * five-tuples; rows; the logs of those that are quiet.
 */
static void make_room(struct tw_lifetimes *lives, struct tw_life *current, uint32_t frame)
{
    tw_log_blocks_clear(&lives->blocks);
    while (lives->first && used(lives) > lives->bound) {
        if (lives->first == current)
            current = NULL;
        tw_lifetimes_end(lives, lives->first->connection);
    }
    lives->told_bytes = told_bytes(lives);
    for (int i = 0; i < 8 && used(lives) > lives->bound; i++) {
        if (tw_tracker_bytes(lives->tracker) > lives->bound / 4)
            tw_builder_note(lives->builder, TW_BOUND_FORGOTTEN, tw_tracker_forget(lives->tracker),
                            frame);
        else if (lives->told_bytes > lives->bound / 2)
            tw_builder_shrink(lives->builder);
        else
            end_quiet(lives, current, frame);
        lives->told_bytes = told_bytes(lives);
    }
}

/*
 * Five-tuples are not remembered for ever, however many come. Where labels are asked for, which
 * hang on every number, and where bytes are followed, all are, as long as the memory lasts.
 */
static void forget_late(struct tw_lifetimes *lives, const struct tw_tracked *t)
{
    const struct tcpwhy_options *options = lives->options;
    uint64_t most = MAX(options->memory_bytes / TAKEN_SHARE, TAKEN_LEAST);

    if (options->wireshark || options->on_segment || options->on_follow)
        return;
    tw_tracker_expire(lives->tracker, t->time_ns);
    if (tw_tracker_taken_bytes(lives->tracker) > most)
        tw_builder_note(lives->builder, TW_BOUND_FORGOTTEN, tw_tracker_forget(lives->tracker),
                        t->frame);
}

__attribute__((noinline)) void tw_lifetimes_look_at_memory(struct tw_lifetimes *lives,
                                                           struct tw_life *life,
                                                           const struct tw_tracked *t)
{
    lives->frames = CHECK_FRAMES;
    count_grown(lives);
    forget_late(lives, t);
    if (used(lives) > lives->bound)
        make_room(lives, life, t->frame);
    lives->blocks.plenty = used(lives) < lives->bound / PLENTY_SHARE;
}
