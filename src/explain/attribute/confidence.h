/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_ATTRIBUTE_CONFIDENCE_H
#define TW_EXPLAIN_ATTRIBUTE_CONFIDENCE_H

#include "explain/timeline/gap.h"

/* What a way may take without being shown: no application is blamed for less. */
#define TW_SURE_WIRE TCPWHY_MS(1)

/* Leave no certain claim on what may be hidden: likely then, with the rival. */
void tw_confidence_lower(const struct tw_gap *gap, struct tw_claim *claim);

#endif
