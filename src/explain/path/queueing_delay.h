/* SPDX-License-Identifier: MIT */
/*
 * Standing queues at the bottleneck, and the capacity of the path.
 */
#ifndef TW_EXPLAIN_PATH_QUEUEING_DELAY_H
#define TW_EXPLAIN_PATH_QUEUEING_DELAY_H

#include "explain/model/rounds_parts.h"

/* Standing queues, and the path's capacity. */
void tw_queueing_delay_find(const struct tw_rounds_view *view);

#endif
