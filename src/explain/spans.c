/* SPDX-License-Identifier: MIT */
#include "explain/spans.h"

#include <glib.h>

static bool alike(const struct tw_span *a, const struct tw_span *b)
{
    return a->cause == b->cause && a->party == b->party && a->from == b->from &&
           a->confidence == b->confidence && a->rival == b->rival;
}

void tw_spans_add(struct tw_explanation *x, const struct tw_span *span)
{
    if (span->from_ns >= span->to_ns)
        return;
    if (x->n_spans && alike(&x->span[x->n_spans - 1], span)) {
        struct tw_span *last = &x->span[x->n_spans - 1];

        last->to_ns = span->to_ns;
        last->last_record = span->last_record;
        last->count += span->count;
        return;
    }
    if (x->n_spans == x->span_capacity) {
        x->span_capacity = x->span_capacity ? 2 * x->span_capacity : 8;
        x->span = g_renew(struct tw_span, x->span, x->span_capacity);
    }
    x->span[x->n_spans++] = *span;
}

void tw_spans_extend(struct tw_explanation *x, tcpwhy_ns to_ns, uint32_t last_record)
{
    struct tw_span *last = &x->span[x->n_spans - 1];

    last->to_ns = to_ns;
    last->last_record = last_record;
}

void tw_details_add(struct tw_explanation *x, const struct tw_detail *detail)
{
    x->detail = g_renew(struct tw_detail, x->detail, x->n_details + 1);
    x->detail[x->n_details++] = *detail;
}
