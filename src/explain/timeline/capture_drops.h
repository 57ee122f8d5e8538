/* SPDX-License-Identifier: MIT */
/*
 * Frames missing from the capture, and what was inferred around them.
 */
#ifndef TW_EXPLAIN_TIMELINE_CAPTURE_DROPS_H
#define TW_EXPLAIN_TIMELINE_CAPTURE_DROPS_H

#include "explain/model/gap.h"

bool tw_capture_drops_search(const struct tw_context *context, uint32_t from, uint32_t to);

/* Are frames missing between two records? Most captures miss none. */
static inline bool tw_capture_drops_between(const struct tw_context *context, uint32_t from,
                                            uint32_t to)
{
    return context->prescan.lacks && tw_capture_drops_search(context, from, to);
}

/* May the data that a record skipped be missing from the capture? Its sender does not retransmit
 * it, and no ACK tells; or the record is its sender's first. */
bool tw_capture_drops_may_end_at(const struct tw_context *context, uint32_t record);

/* Mark recoveries and rounds with missing frames. */
void tw_capture_drops_mark(struct tw_context *context);

#endif
