/* SPDX-License-Identifier: MIT */
/*
 * Segments that were read and wait to be tracked, some at a time: while the first of them are
 * tracked, the memory fetches what the others will touch. Where thousands of connections are open
 * each frame would wait for half a dozen cache lines, one after the other.
 */
#ifndef TW_ENGINE_PREFETCH_H
#define TW_ENGINE_PREFETCH_H

#include "app/app.h"
#include "dissect/dissect.h"
#include "log/log.h"
#include "track/track.h"

#define TW_PREFETCH_MAX 32

/* Connections of which the last frame is so few others ago that a second-level cache has them. */
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
    uint64_t far[TW_PREFETCH_MAX]; /* hashes of those whose connections are in no cache */
    unsigned n_far;
    uint32_t near[TW_PREFETCH_NEAR]; /* the last ones, by hash; more than one may share a place */
};

/* Another one has that hash. If its connection is none of the last ones, the slot is asked for. */
void tw_prefetch_note(struct tw_prefetch *prefetch, const struct tw_tracker *tracker,
                      uint64_t hash);

/* Ask the memory for what else they will touch and no cache holds: connections, lives, logs,
 * records. */
void tw_prefetch_load(struct tw_prefetch *prefetch, const struct tw_tracker *tracker);

/* Likewise for a connection that is to end; and for what explaining it reads first. */
void tw_prefetch_load_ended(const struct tw_connection *connection);
void tw_prefetch_load_result(const struct tw_log *log, const struct tw_app *app);

#endif
