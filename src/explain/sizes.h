/* SPDX-License-Identifier: MIT */
/*
 * Of a path that drops what is large and passes the rest: which sizes those are.
 */
#ifndef TW_EXPLAIN_SIZES_H
#define TW_EXPLAIN_SIZES_H

#include "explain/cost.h"

/* The least payload that went in vain, the most that got through, and what routers told. */
void tw_sizes_tell(const struct tw_cost *cost);

#endif
