/* SPDX-License-Identifier: MIT */
/*
 * The way, by what it was spent on. No one could have saved a millisecond of `wire`; yet many round
 * trips one after the other, few long ones, and a window of the application are why somebody
 * waited.
 */
#ifndef TW_EXPLAIN_DISTANCE_DISTANCE_H
#define TW_EXPLAIN_DISTANCE_DISTANCE_H

#include "explain/model/context.h"

/* Add the explanation's readings, and their details. After all spans are there. */
void tw_distance_read(const struct tw_context *context, struct tw_explanation *out);

#endif
