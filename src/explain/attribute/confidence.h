/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_ATTRIBUTE_CONFIDENCE_H
#define TW_EXPLAIN_ATTRIBUTE_CONFIDENCE_H

#include "explain/attribute/claim.h"

/* Leave no certain claim on what may be hidden: likely then, with the rival. */
void tw_confidence_lower(const struct tw_gap *gap, struct tw_claim *claim);

#endif
