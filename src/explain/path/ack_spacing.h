/* SPDX-License-Identifier: MIT */
/*
 * Queues seen from how evenly segments arrive.
 */
#ifndef TW_EXPLAIN_PATH_ACK_SPACING_H
#define TW_EXPLAIN_PATH_ACK_SPACING_H

#include "explain/model/rounds_parts.h"

/* The same where only arrivals show it. */
void tw_ack_spacing_find(const struct tw_rounds_view *view);

#endif
