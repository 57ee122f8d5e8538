/* SPDX-License-Identifier: MIT */
#include "engine/ahead.h"

#include "engine/lives.h"

/* As long as no more are open, a second-level cache holds them, and asking is in vain. */
#define CROWD 1024

static void fetch(const void *object, size_t bytes)
{
    for (size_t at = 0; object && at < bytes; at += TW_CACHE_LINE)
        __builtin_prefetch((const char *)object + at);
}

/* A record may begin in one cache line and end in the next. */
static void fetch_record(const struct tw_log *log)
{
    if (!log || log->n == log->capacity)
        return;
    __builtin_prefetch(&log->record[log->n], 1);
    __builtin_prefetch((const char *)&log->record[log->n + 1] - 1, 1);
}

/* What each step reads, the step before it has asked for. */
void tw_ahead_fetch(const struct tw_ahead *ahead, const struct tw_tracker *tracker)
{
    const struct tw_connection *connection[TW_AHEAD_MAX];
    const struct tw_life *life[TW_AHEAD_MAX];

    if (tw_tracker_n_open(tracker) < CROWD)
        return;
    for (unsigned i = 0; i < ahead->n; i++)
        connection[i] = tw_tracker_peek(tracker, ahead->of[i].hash);
    for (unsigned i = 0; i < ahead->n; i++) {
        life[i] = connection[i] && !connection[i]->retired ? connection[i]->log : NULL;
        fetch(life[i], sizeof *life[i]);
    }
    for (unsigned i = 0; i < ahead->n; i++) {
        if (!life[i])
            continue;
        fetch(life[i]->log, sizeof *life[i]->log);
        tw_app_fetch(&life[i]->app);
    }
    for (unsigned i = 0; i < ahead->n; i++)
        if (life[i])
            fetch_record(life[i]->log);
}

void tw_ahead_fetch_ended(const struct tw_connection *next, const struct tw_connection *after)
{
    const struct tw_life *life = next ? next->log : NULL;

    fetch(after, sizeof *after + sizeof *life);
    if (!life || !life->log)
        return;
    fetch(life->log->record, life->log->n * sizeof *life->log->record);
    tw_app_fetch(&life->app);
}
