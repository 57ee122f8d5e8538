/* SPDX-License-Identifier: MIT */
/* Shared by connection_lifetime.c (when connections end) and memory_budget.c (what they take). */
#ifndef TW_ENGINE_CONNECTION_LIFETIME_INTERNAL_H
#define TW_ENGINE_CONNECTION_LIFETIME_INTERNAL_H

#include "base/clock_step.h"
#include "engine/life.h"
#include "engine/worker_pool.h"

/* Interval of memory checks, in frames. */
#define CHECK_FRAMES 64

/* The memory that connections and results take, and its bounds (memory_budget.c). */
struct tw_memory_count {
    size_t waiting_bytes, live_bytes, told_bytes;
    size_t bound; /* for everything that grows */
    uint32_t most_records;
    uint32_t frames;                     /* until the next memory check ... */
    struct tw_life *grown[CHECK_FRAMES]; /* ... connections that may have grown since the last */
    unsigned n_grown;
};

/* Connections with a wait that is not told, in the order of these (incidents.c). */
struct tw_incident_queue {
    struct tw_life **life; /* NULL: ended, or told since */
    uint32_t first, n, capacity;
    tcpwhy_ns free_ns; /* the time that is spent on looks ends then */
};

struct tw_lifetimes {
    const struct tw_tls_keys *keys;
    const struct tcpwhy_options *options;
    struct tw_tracker *tracker;
    const struct tw_clock_step *clock; /* of the capture */
    const int64_t *epoch_ns;           /* of the capture: when it began, since the epoch */
    struct tw_builder *builder;
    struct tw_worker_pool *pool;
    struct tw_log_blocks blocks;
    struct tw_life *first, *last; /* closed connections in order of closing */
    tcpwhy_ns due_ns;             /* expiry of the first of them */
    struct tw_memory_count memory;
    struct tw_incident_queue incidents;
    uint32_t n_rows;
    bool stopped;
};

/* Call when the first waiting connection, its last frame, or the number of waiting ones changes. */
void tw_lifetimes_set_due(struct tw_lifetimes *lifetimes);

/* The tracker keeps what late frames need, with the results so far. */
void tw_lifetimes_end(struct tw_lifetimes *lifetimes, struct tw_connection *connection);

/* Report an open connection so far. */
void tw_lifetimes_split(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* Facts about the whole capture so far. */
void tw_lifetimes_set_surroundings(const struct tw_lifetimes *lifetimes,
                                   const struct tw_connection *connection, struct tw_log *log);

/* From options->memory_bytes. */
void tw_lifetimes_set_bounds(struct tw_lifetimes *lifetimes);

/* The memory of a connection may have changed. */
void tw_lifetimes_count(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* Every CHECK_FRAMES frames, after a frame of that connection. */
void tw_lifetimes_look_at_memory(struct tw_lifetimes *lifetimes, struct tw_life *life,
                                 const struct tw_tracked *tracked);

#endif
