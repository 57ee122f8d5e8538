/* SPDX-License-Identifier: MIT */
/*
 * Reads spans of propagation as the purpose they served. Nobody could have saved a millisecond of
 * `wire`, yet many sequential round trips, a few long ones, or an application window are why
 * somebody waited.
 */
#ifndef TW_EXPLAIN_DISTANCE_DISTANCE_H
#define TW_EXPLAIN_DISTANCE_DISTANCE_H

#include "explain/model/context.h"

/* Add the explanation's readings, and their details. After all spans are there. */
void tw_distance_read(const struct tw_context *context, struct tw_explanation *out);

#endif
