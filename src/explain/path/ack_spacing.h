/* SPDX-License-Identifier: MIT */
/*
 * Queues inferred from evenly spaced arrivals.
 */
#ifndef TW_EXPLAIN_PATH_ACK_SPACING_H
#define TW_EXPLAIN_PATH_ACK_SPACING_H

#include "explain/model/rounds_parts.h"

/* The same, if only arrivals show it. */
void tw_ack_spacing_find(const struct tw_rounds_view *view);

#endif
