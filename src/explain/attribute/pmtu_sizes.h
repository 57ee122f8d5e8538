/* SPDX-License-Identifier: MIT */
/*
 * Segment sizes that a path with an MTU black hole drops, and those that it passes.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_PMTU_SIZES_H
#define TW_EXPLAIN_ATTRIBUTE_PMTU_SIZES_H

#include "explain/attribute/cause_totals.h"

/* Report the smallest payload that was lost each time, the largest that arrived, and the MTU that
 * routers reported. */
void tw_pmtu_sizes_report(const struct tw_cause_total *cost);

#endif
