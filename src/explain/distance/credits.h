/* SPDX-License-Identifier: MIT */
/* Propagation spent waiting for credits of SMB 2. */
#ifndef TW_EXPLAIN_DISTANCE_CREDITS_H
#define TW_EXPLAIN_DISTANCE_CREDITS_H

#include "explain/model/context.h"

/* Add the readings and details of requests that waited for credits. @return false: there are few
 * or none. */
bool tw_credits_read(const struct tw_context *context, struct tw_explanation *out);

#endif
