/* SPDX-License-Identifier: MIT */
/*
 * The door of src/engine: the one place that knows the order of the stages. Behind the public
 * session and analyze calls.
 */
#ifndef TW_ENGINE_H
#define TW_ENGINE_H

#include <tcpwhy/tcpwhy.h>

#include "source/source.h"

struct tw_engine;

/* options is copied; texts that it points to are not kept. */
struct tw_engine *tw_engine_new(const struct tcpwhy_options *options, char *error);
void tw_engine_free(struct tw_engine *engine);

/* Told of each frame that belongs to a stream: its segments, and ICMP errors that quote them. */
typedef void tw_watch_fn(void *user, uint32_t stream, uint32_t frame);

void tw_engine_watch(struct tw_engine *engine, tw_watch_fn *watch, void *user);

/* Take one frame. @return false when a callback asked to stop. */
bool tw_engine_push(struct tw_engine *engine, const struct tw_frame *frame);

/* The same of several, whose bytes are all there until it returns: faster. */
bool tw_engine_push_some(struct tw_engine *engine, const struct tw_frame *frames, unsigned n);

/* Another thread that works for the engine, if there is one, may read on. */
void tw_engine_read_on(struct tw_engine *engine, struct tw_read_ahead *prefetch);

/* So many packets were lost so far before anybody saw them. */
void tw_engine_dropped(struct tw_engine *engine, uint64_t packets);

/* The report as if the capture ended here; the engine goes on. */
tcpwhy_report *tw_engine_snapshot(struct tw_engine *engine);

/*
 * Explain every connection that is left; file and comment describe the capture. @return NULL when a
 * callback asked to stop.
 */
tcpwhy_report *tw_engine_finish(struct tw_engine *engine, const char *file,
                                const struct tw_source *source);

#endif
