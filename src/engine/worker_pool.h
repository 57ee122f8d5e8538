/* SPDX-License-Identifier: MIT */
/*
 * Explains ended connections, on several threads if available, and passes results to the builder in
 * the order of submission.
 */
#ifndef TW_ENGINE_WORKER_POOL_H
#define TW_ENGINE_WORKER_POOL_H

#include "engine/connection_job.h"
#include "source/read_ahead.h"

struct tw_worker_pool;

/* Both must outlive it. */
struct tw_worker_pool *tw_worker_pool_new(const struct tcpwhy_options *options,
                                          struct tw_builder *builder);
void tw_worker_pool_free(struct tw_worker_pool *pool);

/* Does the reading thread explain all connections? */
bool tw_worker_pool_is_alone(const struct tw_worker_pool *pool);

/* Let a worker, if there are any, read ahead; ahead must outlive the pool. */
void tw_worker_pool_read_on(struct tw_worker_pool *pool, struct tw_read_ahead *prefetch);

/*
 * Submit a connection, taking ownership. Callbacks run on the calling thread. @return false if one
 * asked to stop; then nothing more is reported.
 */
bool tw_worker_pool_submit(struct tw_worker_pool *pool, const struct tw_ended *ended);

/* Report all submitted connections. */
bool tw_worker_pool_drain(struct tw_worker_pool *pool);

#endif
