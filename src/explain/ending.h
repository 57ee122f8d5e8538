/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_ENDING_H
#define TW_EXPLAIN_ENDING_H

#include "explain/explain.h"

/* Add the span from the frame that ends the connection to its last one: close or reset. */
void tw_ending_explain(const struct tw_log *log, uint32_t from, struct tw_explanation *out);

#endif
