/* SPDX-License-Identifier: MIT */
#include "report/figures/rates.h"

#include "base/array.h"
#include "base/ns.h"
#include "report/flow/flow.h"

/* Number of intervals unless the options set their length, and its upper limit. */
#define WANTED        200
#define MOST          20000
#define LEAST_STEP_NS TCPWHY_US(10)

static enum tcpwhy_side side_of(const struct tw_stream_row *s, enum tcpwhy_party from)
{
    if (from == TCPWHY_PARTY_CLIENT)
        return TCPWHY_CLIENT;
    if (from == TCPWHY_PARTY_SERVER)
        return TCPWHY_SERVER;
    return s->bytes_to_server > s->bytes_to_client ? TCPWHY_CLIENT : TCPWHY_SERVER;
}

static void set_range(struct tw_rates *r, const struct tw_flow_source *source, uint32_t n,
                      const struct tcpwhy_graph_options *o)
{
    tcpwhy_ns from_ns = INT64_MAX, to_ns = INT64_MIN;

    for (uint32_t i = 0; i < n; i++) {
        const struct tw_stream_row *s = source[i].stream;

        from_ns = MIN(from_ns, s->start_ns);
        to_ns = MAX(to_ns, s->start_ns + s->duration_ns);
    }
    r->from_ns = MAX(from_ns, o->from_ns);
    r->to_ns = o->to_ns ? MIN(to_ns, o->to_ns) : to_ns;
    if (r->to_ns <= r->from_ns)
        return;
    r->interval_ns = o->interval_ns > 0
                         ? o->interval_ns
                         : tw_ns_step((r->to_ns - r->from_ns) / WANTED, LEAST_STEP_NS);
    r->interval_ns = MAX(r->interval_ns, tw_ns_step((r->to_ns - r->from_ns) / MOST, LEAST_STEP_NS));
    r->n = (guint)((r->to_ns - r->from_ns) / r->interval_ns) + 1;
}

static void count(const struct tw_rates *r, const struct tw_log *log, struct tw_rate *rate,
                  struct tw_rate *sum)
{
    for (uint32_t i = 0; i < log->n; i++) {
        const struct tw_record *rec = &log->record[i];
        guint at;

        if (rec->from != rate->from || rec->fresh == 0 || rec->time_ns < r->from_ns ||
            rec->time_ns > r->to_ns)
            continue;
        at = (guint)((rec->time_ns - r->from_ns) / r->interval_ns);
        rate->bytes[at] += rec->fresh;
        sum->bytes[at] += rec->fresh;
        rate->total_bytes += rec->fresh;
        sum->total_bytes += rec->fresh;
    }
}

static gint most_first(gconstpointer a, gconstpointer b)
{
    const struct tw_rate *x = a, *y = b;

    if (x->total_bytes != y->total_bytes)
        return x->total_bytes > y->total_bytes ? -1 : 1;
    /* The sum of a single stream comes before it. */
    if (!x->stream || !y->stream)
        return x->stream ? 1 : -1;
    return (x->stream->stream > y->stream->stream) - (x->stream->stream < y->stream->stream);
}

static void clear(gpointer rate)
{
    tw_free(((struct tw_rate *)rate)->bytes);
}

bool tw_rates_make(const tcpwhy_report *report, const struct tcpwhy_graph_options *o,
                   struct tw_rates *r)
{
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(report, &source);
    struct tw_rate sum = { 0 };

    *r = (struct tw_rates) { .rate = tw_array_new(FALSE, FALSE, sizeof(struct tw_rate)) };
    tw_array_set_clear_func(r->rate, clear);
    set_range(r, source, n, o);
    sum.bytes = tw_new0(uint64_t, r->n + 1);
    for (uint32_t i = 0; i < n && r->n > 0; i++) {
        struct tw_rate rate = { .stream = source[i].stream,
                                .from = side_of(source[i].stream, o->from),
                                .bytes = tw_new0(uint64_t, r->n + 1) };

        count(r, source[i].log, &rate, &sum);
        if (rate.total_bytes > 0)
            tw_array_append_val(r->rate, rate);
        else
            tw_free(rate.bytes);
    }
    tw_array_append_val(r->rate, sum);
    tw_array_sort(r->rate, most_first);
    tw_free(source);
    return sum.total_bytes > 0;
}

void tw_rates_clear(struct tw_rates *r)
{
    tw_array_free(r->rate, TRUE);
}

double tw_rates_bits(const struct tw_rates *r, const struct tw_rate *rate, guint i)
{
    tcpwhy_ns from_ns = r->from_ns + (tcpwhy_ns)i * r->interval_ns;
    tcpwhy_ns ns = MIN(r->interval_ns, MAX(r->to_ns - from_ns, 1));

    /* The rest at the end is too short for a rate of its own. */
    return (double)rate->bytes[i] * 8e9 / (double)MAX(ns, r->interval_ns / 2);
}
