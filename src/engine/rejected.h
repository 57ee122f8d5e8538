/* SPDX-License-Identifier: MIT */
/*
 * Frames that a filter took from connections which it keeps in part: found by their five-tuples,
 * also before the first frame that passes.
 */
#ifndef TW_ENGINE_REJECTED_H
#define TW_ENGINE_REJECTED_H

#include <stdint.h>

#include "source/frame.h"
#include "track/track.h"

struct tw_rejected;

/* bytes: about what it may take. */
struct tw_rejected *tw_rejected_new(struct tw_tracker *tracker, uint64_t bytes);
void tw_rejected_free(struct tw_rejected *rejected);

/* A frame that did not pass. */
void tw_rejected_take(struct tw_rejected *rejected, const struct tw_frame *frame);

/* A connection begins to be logged: what was taken from it before. NULL has nothing. */
void tw_rejected_begin(struct tw_rejected *rejected, const struct tw_connection *connection);

#endif
