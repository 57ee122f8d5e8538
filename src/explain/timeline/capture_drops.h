/* SPDX-License-Identifier: MIT */
/*
 * Where the capture lacks frames, and what was made out of those around.
 */
#ifndef TW_EXPLAIN_TIMELINE_CAPTURE_DROPS_H
#define TW_EXPLAIN_TIMELINE_CAPTURE_DROPS_H

#include "explain/model/gap.h"

bool tw_capture_drops_search(const struct tw_context *context, uint32_t from, uint32_t to);

/* Does it lack frames behind one record, up to another? Most captures lack none. */
static inline bool tw_capture_drops_between(const struct tw_context *context, uint32_t from,
                                            uint32_t to)
{
    return context->prescan.lacks && tw_capture_drops_search(context, from, to);
}

/* Does it perhaps lack what a record skipped? Its sender does not send that again, and the receiver
 * says nothing more, which would tell; or it is the first of its sender. */
bool tw_capture_drops_may_end_at(const struct tw_context *context, uint32_t record);

/* Mark the episodes of recovery and the rounds that were made out of frames between which there
 * were more. */
void tw_capture_drops_mark(struct tw_context *context);

#endif
