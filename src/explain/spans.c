/* SPDX-License-Identifier: MIT */
#include "explain/spans.h"

void tw_spans_extend(struct tw_explanation *x, tcpwhy_ns to_ns, uint32_t last_record)
{
    struct tw_span *last = &x->span[x->n_spans - 1];

    last->to_ns = to_ns;
    last->last_record = last_record;
}

void tw_details_add(struct tw_explanation *x, const struct tw_detail *detail)
{
    x->detail = tw_scratch_grow(x->scratch, x->detail, x->n_details, &x->detail_capacity,
                                sizeof *x->detail);
    x->detail[x->n_details++] = *detail;
}
