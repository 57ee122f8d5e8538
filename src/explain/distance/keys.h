/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_DISTANCE_KEYS_H
#define TW_EXPLAIN_DISTANCE_KEYS_H

#include "explain/model/context.h"

/* Does a person type at this connection, and wait for the echo of each key? */
bool tw_keys_are_typed(const struct tw_context *context);

#endif
