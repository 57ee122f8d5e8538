/* SPDX-License-Identifier: MIT */
/*
 * The numbers an engineer asks for: how high a ceiling is and what rate it allows, how long a queue
 * stood, how many packets a repair took, how long it would have taken without the cause.
 */
#ifndef TW_EXPLAIN_ATTRIBUTE_DETAILS_H
#define TW_EXPLAIN_ATTRIBUTE_DETAILS_H

#include "explain/model/gap.h"

void tw_details_build(const struct tw_context *context, struct tw_explanation *out);

#endif
