/* SPDX-License-Identifier: MIT */
/*
 * The arbiter's weighing of a gap, kept for the report: each cause with its odds, or with the fact
 * that refutes it.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_WEIGH_H
#define TW_EXPLAIN_ATTRIBUTE_WEIGH_H

#include "explain/attribute/claim.h"

/* Keep the weighing of a gap with its verdict, if it is one of those that its context keeps. */
void tw_weigh_gap(const struct tw_gap *gap, const struct tw_claim *verdict);

/* A gap of the burst that the newest gap held up. */
void tw_weigh_burst(const struct tw_gap *gap);

#endif
