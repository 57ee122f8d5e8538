/* SPDX-License-Identifier: MIT */
/*
 * Lifetimes of connections: logs while they are open, their end, and eviction by the memory bound.
 */
#ifndef TW_ENGINE_CONNECTION_LIFETIME_H
#define TW_ENGINE_CONNECTION_LIFETIME_H

#include "base/clock_step.h"
#include "engine/life.h"
#include "engine/worker_pool.h"

struct tw_lifetimes;

/* All six must outlive it; options->memory_bytes is set. epoch_ns: of the capture's first frame. */
struct tw_lifetimes *tw_lifetimes_new(const struct tcpwhy_options *options,
                                      struct tw_tracker *tracker, const struct tw_clock_step *clock,
                                      const int64_t *epoch_ns, struct tw_builder *builder,
                                      struct tw_worker_pool *pool);
void tw_lifetimes_free(struct tw_lifetimes *lifetimes);

void tw_lifetimes_use_keys(struct tw_lifetimes *lifetimes, const struct tw_tls_keys *keys);

/* Start the lifetime of a frame's connection, which has none, in its room; wanted: to be
 * reported. */
void tw_lifetimes_begin(struct tw_lifetimes *lifetimes, const struct tw_tracked *tracked,
                        bool wanted);

/* Log a frame of a wanted connection. @return true if memory beside the records may have grown. */
bool tw_life_log(struct tw_life *life, const struct tw_tracked *tracked);

/* After each frame: end closed connections, and check the memory bound. grows: result of
 * tw_life_log(). @return false if a callback asked to stop. */
bool tw_lifetimes_go_on(struct tw_lifetimes *lifetimes, struct tw_life *life,
                        const struct tw_tracked *tracked, bool grows);

/* End of the capture: end all. @return false if a callback asked to stop. */
bool tw_lifetimes_end_all(struct tw_lifetimes *lifetimes);

/* Flush the reports of ended connections. @return false if a callback asked to stop. */
bool tw_lifetimes_submit_ended(struct tw_lifetimes *lifetimes);

/* Report one open connection to a builder of its own. @return false: there is nothing of it. */
bool tw_lifetimes_peek_one(const struct tw_lifetimes *lifetimes, struct tw_connection *connection,
                           const struct tcpwhy_options *options, struct tw_builder *builder);

/* Report all open connections to another builder. */
void tw_lifetimes_peek(const struct tw_lifetimes *lifetimes, const struct tcpwhy_options *options,
                       struct tw_builder *builder);

#endif
