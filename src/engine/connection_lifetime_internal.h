/* SPDX-License-Identifier: MIT */
/* What the files of lives share: when they end (lives.c), and what they take (lives_room.c). */
#ifndef TW_ENGINE_CONNECTION_LIFETIME_INTERNAL_H
#define TW_ENGINE_CONNECTION_LIFETIME_INTERNAL_H

#include "engine/connection_lifetime.h"

/* How often, in frames, the memory is looked at. */
#define CHECK_FRAMES 64

struct tw_lifetimes {
    const struct tcpwhy_options *options;
    struct tw_tracker *tracker;
    const struct tw_clock_step *clock; /* the capture's */
    struct tw_builder *builder;
    struct tw_worker_pool *pool;
    struct tw_log_blocks blocks;
    struct tw_life *first, *last; /* of those that wait, in the order in which they began to */
    tcpwhy_ns due_ns;             /* the first of them waits until then */
    size_t waiting_bytes, live_bytes, told_bytes;
    size_t bound; /* of everything that grows */
    uint32_t most_records;
    uint32_t n_rows;
    uint32_t frames;                     /* until the memory is looked at ... */
    struct tw_life *grown[CHECK_FRAMES]; /* ... of those since it was: lives that may have grown */
    unsigned n_grown;
    bool stopped;
};

/* To be called when the first that waits, its last frame, or how much waits is another. */
void tw_lifetimes_set_due(struct tw_lifetimes *lifetimes);

/* The tracker keeps what late frames need, with what will have been told by then. */
void tw_lifetimes_end(struct tw_lifetimes *lifetimes, struct tw_connection *connection);

/* Tell what there is of a connection that goes on. */
void tw_lifetimes_split(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* From options->memory_bytes. */
void tw_lifetimes_set_bounds(struct tw_lifetimes *lifetimes);

/* What a life takes may be another. */
void tw_lifetimes_count(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* Every CHECK_FRAMES frames; the last was of that life. */
void tw_lifetimes_look_at_memory(struct tw_lifetimes *lifetimes, struct tw_life *life,
                                 const struct tw_tracked *tracked);

#endif
