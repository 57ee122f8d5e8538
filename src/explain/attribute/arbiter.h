/* SPDX-License-Identifier: MIT */
/*
 * The arbiter: each hypothesis answers for itself, and the one with the best odds has the gap. How
 * surely, the odds against the best of the other causes tell.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_ARBITER_H
#define TW_EXPLAIN_ATTRIBUTE_ARBITER_H

#include "explain/attribute/claim.h"
#include "explain/attribute/hypotheses.h"

/* Lead over the best other cause from which one is certain, or likely. Unit: log10 of odds. Source:
 * what is promised, 99.7 % and 85 % right (docs/accuracy.md), with room for odds that are judged.
 */
#define TW_ODDS_CERTAIN 3.0
#define TW_ODDS_LIKELY  1.0

/* asked: a bit for each hypothesis that is not refuted by what the gap lacks; unknown is among
 * them. */
void tw_arbiter_decide(const struct tw_gap *gap, uint32_t asked, struct tw_claim *out);

/* One hypothesis alone, without its prior. @return NULL, or what refutes it. */
const char *tw_arbiter_ask(const struct tw_hypothesis *hypothesis, const struct tw_gap *gap,
                           struct tw_release *release);

#endif
