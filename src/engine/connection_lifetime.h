/* SPDX-License-Identifier: MIT */
/*
 * The lives of connections: their logs while they are open, when they are over, and what gives way
 * when all of them want more memory than there is.
 */
#ifndef TW_ENGINE_CONNECTION_LIFETIME_H
#define TW_ENGINE_CONNECTION_LIFETIME_H

#include "app/follow.h"
#include "base/clock_step.h"
#include "engine/worker_pool.h"

/* What hangs on a connection of the tracker, in the room behind it. */
struct tw_life {
    struct tw_life *next, *previous; /* of those that wait */
    struct tw_connection *connection;
    size_t bytes; /* as counted last ... */
    guint listener;
    bool waits;           /* it is over, if nothing more comes; this and what follows is touched by
                             each frame */
    uint32_t log_records; /* ... for a log of so many */
    unsigned grown;       /* 1 + its place among those to be counted, or 0 */
    struct tw_follow *follow;
    struct tw_app app;
    struct tw_log *log; /* own; NULL: nobody asked for this stream */
    struct tw_log own;  /* without records when nobody asked */
};

struct tw_lifetimes;

/* All five must outlive it; options->memory_bytes is set. */
struct tw_lifetimes *tw_lifetimes_new(const struct tcpwhy_options *options,
                                      struct tw_tracker *tracker, const struct tw_clock_step *clock,
                                      struct tw_builder *builder, struct tw_worker_pool *pool);
void tw_lifetimes_free(struct tw_lifetimes *lifetimes);

/* Begin the life of a frame's connection, which has none, in its room; wanted: it is to be told. */
void tw_lifetimes_begin(struct tw_lifetimes *lifetimes, const struct tw_tracked *tracked,
                        bool wanted);

/* Log a frame of a wanted connection. @return true when the life may take more, beside its records,
 * than before. */
bool tw_life_log(struct tw_life *life, const struct tw_tracked *tracked);

/* After each frame: end the lives that are over, make room. grows: as tw_life_log() said. @return
 * false when a callback asked to stop. */
bool tw_lifetimes_go_on(struct tw_lifetimes *lifetimes, struct tw_life *life,
                        const struct tw_tracked *tracked, bool grows);

/* The capture is over: end all. @return false when a callback asked to stop. */
bool tw_lifetimes_end_all(struct tw_lifetimes *lifetimes);

/* Tell now what is told of those that ended. @return false when a callback asked to stop. */
bool tw_lifetimes_submit_ended(struct tw_lifetimes *lifetimes);

/* Tell another builder of all that are open. */
void tw_lifetimes_peek(const struct tw_lifetimes *lifetimes, const struct tcpwhy_options *options,
                       struct tw_builder *builder);

#endif
