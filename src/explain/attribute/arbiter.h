/* SPDX-License-Identifier: MIT */
/*
 * The arbiter: each hypothesis answers for itself, and the one with the best odds gets the gap. Its
 * lead over the best other cause is the confidence.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ARBITER_H
#define TW_EXPLAIN_ATTRIBUTE_ARBITER_H

#include "explain/attribute/claim.h"
#include "explain/attribute/hypotheses.h"

/* Lead over the best other cause that makes a verdict certain, or likely. Unit: log10 of odds.
 * Source: the promised 99.7 % and 85 % (docs/accuracy.md), with a margin for odds set by
 * judgement. */
#define TW_ODDS_CERTAIN 3.0
#define TW_ODDS_LIKELY  1.0

/* asked: a bit for each hypothesis whose needs the gap has; unknown is always among them. */
void tw_arbiter_decide(const struct tw_gap *gap, uint32_t asked, struct tw_claim *out);

/* Weigh one hypothesis alone, without its prior. @return NULL, or the fact that refutes it. */
const char *tw_arbiter_ask(const struct tw_hypothesis *hypothesis, const struct tw_gap *gap,
                           struct tw_release *release);

#endif
