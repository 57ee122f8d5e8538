/* SPDX-License-Identifier: MIT */
#include "explain/spans.h"

#include <glib.h>

void tw_spans_extend(struct tw_explanation *x, tcpwhy_ns to_ns, uint32_t last_record)
{
    struct tw_span *last = &x->span[x->n_spans - 1];

    last->to_ns = to_ns;
    last->last_record = last_record;
}

void tw_spans_keep(struct tw_explanation *x)
{
    if (x->n_spans <= TW_FEW_SPANS) {
        for (uint32_t i = 0; i < x->n_spans; i++)
            x->few[i] = x->span[i];
        x->span = x->few;
    } else {
        x->span = g_memdup2(x->span, x->n_spans * sizeof *x->span);
    }
    if (x->n_details > 0)
        x->detail = g_memdup2(x->detail, x->n_details * sizeof *x->detail);
    x->scratch = NULL;
}

void tw_details_add(struct tw_explanation *x, const struct tw_detail *detail)
{
    x->detail = tw_scratch_grow(x->scratch, x->detail, x->n_details, &x->detail_capacity,
                                sizeof *x->detail);
    x->detail[x->n_details++] = *detail;
}
