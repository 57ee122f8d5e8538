/* SPDX-License-Identifier: MIT */
/*
 * Connections that are over, to the report: what each has to tell is found out alone, and told to
 * the builder in the order in which they were handed over.
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

/* Does the thread that reads explain all connections? */
bool tw_worker_pool_is_alone(const struct tw_worker_pool *pool);

/* Have a worker, if there are any, read on; ahead lives as long as the teller. */
void tw_worker_pool_read_on(struct tw_worker_pool *pool, struct tw_read_ahead *prefetch);

/*
 * Tell, now or later; what is known of the connection is the teller's from now on. Callbacks come
 * from the thread that calls this. @return false when one asked to stop; then nothing more is told.
 */
bool tw_worker_pool_submit(struct tw_worker_pool *pool, const struct tw_ended *ended);

/* Tell all that was handed over. */
bool tw_worker_pool_drain(struct tw_worker_pool *pool);

#endif
