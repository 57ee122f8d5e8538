/* SPDX-License-Identifier: MIT */
/*
 * Senders that follow a clock of their own rather than the ACKs.
 */
#ifndef TW_EXPLAIN_MODEL_PACING_H
#define TW_EXPLAIN_MODEL_PACING_H

#include "explain/model/rounds_parts.h"

/* Senders that follow a clock of their own. */
void tw_pacing_find(const struct tw_rounds_view *view);

#endif
