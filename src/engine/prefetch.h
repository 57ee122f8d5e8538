/* SPDX-License-Identifier: MIT */
/*
 * Prefetch for a batch of segments that wait to be tracked. With thousands of open connections each
 * frame would otherwise wait for half a dozen cache lines, one after the other.
 */
#ifndef TW_ENGINE_PREFETCH_H
#define TW_ENGINE_PREFETCH_H

#include "app/app.h"
#include "dissect/dissect.h"
#include "log/log.h"
#include "track/track.h"

#define TW_PREFETCH_MAX 32

/* Connections with a frame among that many recent ones are in L2. */
#define TW_PREFETCH_NEAR 512

struct tw_prefetch_segment {
    struct tw_segment segment;
    uint64_t hash;
    tcpwhy_ns now;
    uint32_t frame;
};

struct tw_prefetch {
    struct tw_prefetch_segment of[TW_PREFETCH_MAX];
    unsigned n;
    uint64_t far[TW_PREFETCH_MAX]; /* hashes of connections in no cache */
    unsigned n_far;
    uint32_t near[TW_PREFETCH_NEAR]; /* recent ones, by hash; collisions are harmless */
};

/* Add a hash. Prefetches its slot unless the connection is recent. */
void tw_prefetch_note(struct tw_prefetch *prefetch, const struct tw_tracker *tracker,
                      uint64_t hash);

/* Prefetch what tracking will touch and no cache holds: connections, lifetimes, logs, records. */
void tw_prefetch_load(struct tw_prefetch *prefetch, const struct tw_tracker *tracker);

/* The same for a connection about to end, and what explaining it reads first. */
void tw_prefetch_load_ended(const struct tw_connection *connection);
void tw_prefetch_load_result(const struct tw_log *log, const struct tw_app *app);

#endif
