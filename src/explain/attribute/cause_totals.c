/* SPDX-License-Identifier: MIT */
#include "explain/attribute/cause_totals.h"

#include "base/select.h"
#include "explain/path/bottleneck_rate.h"
#include "explain/spans.h"

void tw_cause_total_add_number(const struct tw_cause_total *c, const char *name, double value)
{
    tw_details_add(c->out, &(struct tw_detail) { c->cause, c->from, name, NULL, value });
}

void tw_cause_total_add_word(const struct tw_cause_total *c, const char *name, const char *text)
{
    tw_details_add(c->out, &(struct tw_detail) { c->cause, c->from, name, text, 0 });
}

int64_t tw_cause_total_round_quantile(const struct tw_cause_total *c, unsigned percent,
                                      int64_t (*value)(const struct tw_round *))
{
    const struct tw_rounds *rounds = &c->context->rounds[c->from];
    const struct tw_sender_timeline *sends = &c->context->sends[c->from];
    int64_t *values = tw_scratch_get(c->context->scratch, rounds->n, sizeof *values);
    uint32_t n = 0, k = 0;
    int64_t quantile;

    for (uint32_t i = 0; i < rounds->n; i++) {
        uint32_t record = sends->send[rounds->round[i].last].record;

        while (k < c->out->n_spans && c->out->span[k].last_record < record)
            k++;
        if (k < c->out->n_spans && c->out->span[k].cause == c->cause &&
            c->out->span[k].from == c->from)
            values[n++] = value(&rounds->round[i]);
    }
    quantile = n ? tw_select_ns(values, n, (size_t)(n - 1) * percent / 100) : 0;
    tw_scratch_return(c->context->scratch, values);
    return quantile;
}

static int64_t flight_of(const struct tw_round *r)
{
    return r->flight_bytes;
}

int64_t tw_cause_total_flight(const struct tw_cause_total *c)
{
    return tw_cause_total_round_median(c, flight_of);
}

double tw_cause_total_path_rate(const struct tw_cause_total *c, double above, double *guess)
{
    double full = c->context->rounds[c->from].capacity, shown;

    *guess = 0;
    if (full > above)
        return full;
    *guess = tw_bottleneck_rate(c->context, c->from, &shown);
    return shown > above ? shown : 0;
}

/* New data that the sender sent from the span's first record to its last. */
static int64_t bytes_in(const struct tw_log *log, const struct tw_span *span)
{
    const struct tw_record *last = &log->record[span->last_record];
    int64_t bytes = 0;

    for (const struct tw_record *r = &log->record[span->first_record]; r++ < last;)
        if (r->from == span->from && r->frame_class == TCPWHY_CLASS_DATA)
            bytes += r->len;
    return bytes;
}

int64_t tw_cause_total_bytes(const struct tw_cause_total *c)
{
    int64_t bytes = 0;

    for (uint32_t i = 0; i < c->out->n_spans; i++)
        if (c->out->span[i].cause == c->cause && c->out->span[i].from == c->from)
            bytes += bytes_in(c->context->log, &c->out->span[i]);
    return bytes;
}

bool tw_cause_total_may_be(const struct tw_cause_total *c, tw_causes instead)
{
    tcpwhy_ns doubted_ns = 0;

    for (uint32_t i = 0; i < c->out->n_spans; i++) {
        const struct tw_span *span = &c->out->span[i];

        if (span->cause == c->cause && span->from == c->from && instead >> span->rival & 1)
            doubted_ns += span->to_ns - span->from_ns;
    }
    return 2 * doubted_ns > c->cost_ns;
}
