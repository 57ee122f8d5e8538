/* SPDX-License-Identifier: MIT */
/*
 * Builds the list of spans: contiguous, in order, equal neighbours joined.
 */
#ifndef TW_EXPLAIN_SPANS_H
#define TW_EXPLAIN_SPANS_H

#include <stddef.h>

#include "explain/explanation.h"

/* Is it think time? Each turn has a span of its own. */
static inline bool tw_spans_are_thinking(enum tcpwhy_cause cause)
{
    return cause == TCPWHY_SERVER_THINK || cause == TCPWHY_CLIENT_THINK;
}

static inline bool tw_spans_alike(const struct tw_span *a, const struct tw_span *b)
{
    if (a->last_record != b->first_record && tw_spans_are_thinking(a->cause))
        return false;
    return a->cause == b->cause && a->party == b->party && a->from == b->from &&
           a->confidence == b->confidence && a->rival == b->rival;
}

/* Append a span that begins where the last one ended; empty ones are left out, except failures,
 * however quick. */
static inline void tw_spans_add(struct tw_explanation *x, const struct tw_span *span)
{
    struct tw_span *last = x->n_spans ? &x->span[x->n_spans - 1] : NULL;

    if (span->from_ns >= span->to_ns && span->cause != TCPWHY_CONNECT_REFUSED)
        return;
    if (last && tw_spans_alike(last, span)) {
        last->to_ns = span->to_ns;
        last->last_record = span->last_record;
        last->count += span->count;
        return;
    }
    x->span = tw_scratch_grow(x->scratch, x->span, x->n_spans, &x->span_capacity, sizeof *x->span);
    x->span[x->n_spans++] = *span;
}

/* Make the last span end later. */
void tw_spans_extend(struct tw_explanation *x, tcpwhy_ns to_ns, uint32_t last_record);

/* Append a number or a word that belongs to a cause. */
void tw_details_add(struct tw_explanation *x, const struct tw_detail *detail);

#endif
