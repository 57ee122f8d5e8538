/* SPDX-License-Identifier: MIT */
/*
 * The end of a gap for a distant side may have queued, also behind other connections: its TSval
 * (RFC 7323) shows when it left.
 */
#ifndef TW_EXPLAIN_PATH_ONE_WAY_DELAY_H
#define TW_EXPLAIN_PATH_ONE_WAY_DELAY_H

#include "explain/model/gap.h"

/* Fill in the excess delay of the segment that ends a described gap. Within a message: its excess
 * over the previous send's, and that of the ACK that a partial segment may have waited for. Nothing
 * is late if its sender is here or has no good clock. @return true if it was late. */
bool tw_one_way_delay_apply(struct tw_context *context, struct tw_gap *gap);

#endif
