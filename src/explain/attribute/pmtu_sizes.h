/* SPDX-License-Identifier: MIT */
/*
 * Of a path that drops what is large and passes the rest: which sizes those are.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_PMTU_SIZES_H
#define TW_EXPLAIN_ATTRIBUTE_PMTU_SIZES_H

#include "explain/attribute/cause_totals.h"

/* The least payload that went in vain, the most that got through, and what routers told. */
void tw_pmtu_sizes_report(const struct tw_cause_total *cost);

#endif
