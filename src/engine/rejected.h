/* SPDX-License-Identifier: MIT */
/*
 * Frames that a capture filter rejects of connections that it keeps in part. They are counted by
 * their five-tuples, also before the first frame that passes.
 */
#ifndef TW_ENGINE_REJECTED_H
#define TW_ENGINE_REJECTED_H

#include <stdint.h>

#include "source/frame.h"
#include "track/track.h"

struct tw_rejected;

/* bytes: about how much memory it may use. */
struct tw_rejected *tw_rejected_new(struct tw_tracker *tracker, uint64_t bytes);
void tw_rejected_free(struct tw_rejected *rejected);

/* Count a frame that did not pass. */
void tw_rejected_take(struct tw_rejected *rejected, const struct tw_frame *frame);

/* A connection begins to be logged: note in its log the frames that were rejected before. Does
 * nothing for NULL. */
void tw_rejected_begin(struct tw_rejected *rejected, const struct tw_connection *connection);

#endif
