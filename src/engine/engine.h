/* SPDX-License-Identifier: MIT */
/*
 * Interface of src/engine, behind the public session and analyze calls: the only place that knows
 * the order of the stages.
 */
#ifndef TW_ENGINE_H
#define TW_ENGINE_H

#include <tcpwhy/tcpwhy.h>

#include "dissect/segment.h"
#include "source/source.h"

struct tw_engine;
struct tw_tls_keys;

/* options is copied; what it points to is not, and the callbacks must live as long. @return NULL
 * with *error filled. */
struct tw_engine *tw_engine_new(const struct tcpwhy_options *options,
                                struct tw_source_error *error);
void tw_engine_free(struct tw_engine *engine);

/* Called for each frame of a stream: segments, and ICMP errors that quote them. */
typedef void tw_watch_fn(void *user, uint32_t stream, uint32_t frame);

void tw_engine_watch(struct tw_engine *engine, tw_watch_fn *watch, void *user);

/* Secrets of TLS, which must outlive the engine, and may become more. */
void tw_engine_use_keys(struct tw_engine *engine, const struct tw_tls_keys *keys);

/* Process a frame. @return false if a callback asked to stop. */
bool tw_engine_push(struct tw_engine *engine, const struct tw_frame *frame);

/* The same for several frames, all valid until it returns: faster. */
bool tw_engine_push_some(struct tw_engine *engine, const struct tw_frame *frames, unsigned n);

/* Process a segment that was dissected elsewhere; frame gives number, time and original length. */
bool tw_engine_push_segment(struct tw_engine *engine, const struct tw_frame *frame,
                            const struct tw_segment *segment);

/* Take a frame that the filter rejected, of a connection which it keeps in part. */
void tw_engine_reject(struct tw_engine *engine, const struct tw_frame *frame);

/* Lets a worker, if there is one, read ahead. */
void tw_engine_read_on(struct tw_engine *engine, struct tw_read_ahead *prefetch);

/* Total number of packets dropped so far. */
void tw_engine_dropped(struct tw_engine *engine, uint64_t packets);

/* The report as if the capture ended here, once what has ended is settled; the engine continues. */
void tw_engine_settle(struct tw_engine *engine);
tcpwhy_report *tw_engine_snapshot(const struct tw_engine *engine);

/* The report of an open connection alone; the engine continues. @return NULL: there is none. */
tcpwhy_report *tw_engine_connection(struct tw_engine *engine, const struct tw_tuple *tuple);

/*
 * Explain all remaining connections; file and comment describe the capture. @return NULL if a
 * callback asked to stop.
 */
tcpwhy_report *tw_engine_finish(struct tw_engine *engine, const char *file,
                                const struct tw_source *source);

#endif
