/* SPDX-License-Identifier: MIT */
/*
 * The list of spans in the making: contiguous, in order, alike neighbours joined.
 */
#ifndef TW_EXPLAIN_SPANS_H
#define TW_EXPLAIN_SPANS_H

#include "explain/explain.h"

/* Append a span that begins where the last one ended; one of no length is left out. */
void tw_spans_add(struct tw_explanation *x, const struct tw_span *span);

/* Make the last span end later. */
void tw_spans_extend(struct tw_explanation *x, tcpwhy_ns to_ns, uint32_t last_record);

/* All spans and details are there: they move to memory of their own. */
void tw_spans_keep(struct tw_explanation *x);

/* Append a number or a word that belongs to a cause. */
void tw_details_add(struct tw_explanation *x, const struct tw_detail *detail);

#endif
