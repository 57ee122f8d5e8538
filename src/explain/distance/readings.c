/* SPDX-License-Identifier: MIT */
#include "explain/distance/readings.h"

#include "explain/spans.h"
#include "explain/thresholds.h"

bool tw_readings_is_way(const struct tw_context *context, const struct tw_span *span)
{
    return (span->cause == TCPWHY_WIRE || span->cause == TCPWHY_HANDSHAKE) &&
           span->confidence != TCPWHY_AMBIGUOUS &&
           span->to_ns - span->from_ns > context->vantage.rtt_min_ns / TW_SHORT_SHARE;
}

void tw_readings_add(struct tw_explanation *x, uint32_t span, const struct tw_span *as)
{
    struct tw_reading r = { .span = x->span[span], .index = span };

    r.span.cause = as->cause;
    r.span.party = as->party;
    r.span.from = as->from;
    r.span.count = 1;
    if (as->rival != TCPWHY_CAUSE_NONE) { /* the reading has a doubt of its own */
        r.span.confidence = as->confidence;
        r.span.rival = as->rival;
    }
    x->reading = tw_scratch_grow(x->scratch, x->reading, x->n_readings, &x->reading_capacity,
                                 sizeof *x->reading);
    x->reading[x->n_readings++] = r;
}

void tw_readings_add_number(struct tw_explanation *x, const struct tw_span *as, const char *name,
                            double number)
{
    const struct tw_detail d = {
        .cause = as->cause, .from = as->from, .name = name, .number = number
    };

    tw_details_add(x, &d);
}

void tw_readings_add_word(struct tw_explanation *x, const struct tw_span *as, const char *name,
                          const char *text)
{
    const struct tw_detail d = { .cause = as->cause, .from = as->from, .name = name, .text = text };

    tw_details_add(x, &d);
}
