/* SPDX-License-Identifier: MIT */
#include "engine/prefetch.h"

#include "engine/life.h"

/* Limit per log: L2 would evict more before its use. */
#define FETCH_MOST (128u * 1024)

static void fetch(const void *object, size_t bytes)
{
    for (size_t at = 0; object && at < bytes; at += TW_CACHE_LINE)
        __builtin_prefetch((const char *)object + at);
}

/* A record may span two cache lines. */
static void fetch_record(const struct tw_log *log)
{
    if (!log || log->n == log->capacity)
        return;
    __builtin_prefetch(&log->record[log->n], 1);
    __builtin_prefetch((const char *)&log->record[log->n + 1] - 1, 1);
}

/* Is the connection of that hash among the recent ones? Adds it. */
static bool is_near(struct tw_prefetch *prefetch, uint64_t hash)
{
    uint32_t *place = &prefetch->near[hash % TW_PREFETCH_NEAR], tag = (uint32_t)(hash >> 32);
    bool near = *place == tag;

    *place = tag;
    return near;
}

void tw_prefetch_note(struct tw_prefetch *prefetch, const struct tw_tracker *tracker, uint64_t hash)
{
    if (is_near(prefetch, hash))
        return;
    prefetch->far[prefetch->n_far++] = hash;
    tw_tracker_fetch_slot(tracker, hash);
}

/* Each step reads what the previous one prefetched. */
void tw_prefetch_load(struct tw_prefetch *prefetch, const struct tw_tracker *tracker)
{
    const struct tw_connection *connection[TW_PREFETCH_MAX];
    const struct tw_life *life[TW_PREFETCH_MAX];
    unsigned n_lives = 0;

    for (unsigned i = 0; i < prefetch->n_far; i++)
        connection[i] = tw_tracker_peek(tracker, prefetch->far[i]);
    for (unsigned i = 0; i < prefetch->n_far; i++) {
        if (!connection[i]) {
            tw_tracker_fetch_taken(tracker, prefetch->far[i]);
            continue;
        }
        if (!connection[i]->log)
            continue;
        life[n_lives] = connection[i]->log;
        fetch(life[n_lives], sizeof *life[n_lives]);
        n_lives++;
    }
    for (unsigned i = 0; i < n_lives; i++) {
        fetch_record(life[i]->log);
        tw_app_fetch(&life[i]->app);
    }
    prefetch->n_far = 0;
}

void tw_prefetch_load_ended(const struct tw_connection *connection)
{
    fetch(connection, sizeof *connection + sizeof(struct tw_life));
}

void tw_prefetch_load_result(const struct tw_log *log, const struct tw_app *app)
{
    fetch(log->record, MIN(log->n * sizeof *log->record, FETCH_MOST));
    tw_app_fetch(app);
}
