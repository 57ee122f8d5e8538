/* SPDX-License-Identifier: MIT */
/*
 * Words and numbers are made here, so that the script has none to format; times for the script are
 * milliseconds into the capture.
 */
#include "base/array.h"
#include "render/page/page.h"
#include "render/view/view.h"
#include "render/writers/text.h"
#include "report/endpoints.h"

/* Part of the size for the flow graph, and about how many characters a row takes. */
#define ROWS_PART  3
#define ROW_LENGTH 36
#define MIN_ROWS   24
#define MAX_ROWS   4000

/* The slowest exchanges, as far as they fit: a request may be long. */
#define EXCHANGES_PART 4000
#define MIN_EXCHANGES  5
#define MAX_EXCHANGES  40
#define MAX_REQUEST    160

/* Part of the size for how the causes of gaps were weighed. */
#define WHY_PART 6

/* The lines of a connection; the verdict, their last, leads. */
static void facts(struct tw_json *json, const struct tw_stream_row *s)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_json_array(json, "facts");
    for (size_t i = 0; i < TW_STREAM_LINES; i++) {
        const struct tw_stream_line *line =
            &tw_stream_lines[(i + TW_STREAM_LINES - 1) % TW_STREAM_LINES];
        tw_autofree char *label = tw_strdup(line->label);

        label[0] = g_ascii_toupper(label[0]);
        tw_string_truncate(text, 0);
        line->words(text, s);
        if (text->len == 0)
            continue;
        tw_json_array(json, NULL);
        tw_json_string(json, NULL, label);
        tw_json_string(json, NULL, text->str);
        tw_json_end(json);
    }
    tw_json_end(json);
}

/* The longest interval that went to an entry; NULL when there is none. */
static const struct tcpwhy_span *longest_of(const struct tw_stream_row *s,
                                            const struct tcpwhy_ledger_entry *e)
{
    const struct tcpwhy_span *longest = NULL;

    for (size_t i = 0; i < s->n_spans; i++) {
        const struct tcpwhy_span *span = &s->spans[i];

        if (span->cause == e->cause && span->party == e->party && span->from == e->from &&
            (!longest || span->to_ns - span->from_ns > longest->to_ns - longest->from_ns))
            longest = span;
    }
    return longest;
}

/* Port 0 is any port. */
static bool is_at(const struct tcpwhy_endpoint *end, const struct tcpwhy_endpoint *holder)
{
    return (holder->port == 0 || end->port == holder->port) && tw_endpoint_same_host(end, holder);
}

static bool is_end_of(const struct tw_stream_row *s, const struct tcpwhy_endpoint *e)
{
    return is_at(&s->client, e) || is_at(&s->server, e);
}

/* The fix for an entry: that of the finding with its cause at one end of the stream. */
static const char *remedy_of(const tcpwhy_report *report, const struct tw_stream_row *s,
                             const struct tcpwhy_ledger_entry *e)
{
    size_t n;
    const struct tw_finding_row *f = tw_report_findings(report, &n);

    for (size_t i = 0; i < n; i++)
        if (f[i].cause == e->cause && f[i].party == e->party && is_end_of(s, &f[i].endpoint))
            return f[i].remedy;
    return NULL;
}

static void span(struct tw_json *json, const struct tcpwhy_span *s)
{
    tw_json_array(json, "longest");
    tw_json_ms(json, NULL, s->from_ns);
    tw_json_ms(json, NULL, s->to_ns);
    tw_json_string(json, NULL, tw_duration(s->to_ns - s->from_ns).text);
    tw_json_uint(json, NULL, s->first_frame);
    tw_json_uint(json, NULL, s->last_frame);
    tw_json_end(json);
}

static void entry(struct tw_json *json, const tcpwhy_report *report, const struct tw_stream_row *s,
                  const struct tcpwhy_ledger_entry *e)
{
    double share = s->duration_ns > 0 ? (double)e->ns / (double)s->duration_ns : 0;
    const struct tcpwhy_span *longest = longest_of(s, e);
    const char *remedy = remedy_of(report, s, e);

    tw_json_object(json, NULL);
    tw_json_string(json, "cause", tcpwhy_cause_info(e->cause)->name);
    tw_json_string(json, "owner", tcpwhy_party_name(e->party));
    tw_json_string(json, "confidence", tcpwhy_confidence_name(e->confidence));
    if (e->rival != TCPWHY_CAUSE_NONE)
        tw_json_string(json, "rival", tcpwhy_cause_info(e->rival)->name);
    tw_json_string(json, "time", tw_column(e->ns, s->duration_ns).text);
    tw_json_string(json, "share", tw_percent(share).text);
    tw_json_uint(json, "count", e->count);
    if (longest)
        span(json, longest);
    if (remedy)
        tw_json_string(json, "fix", remedy);
    tw_json_end(json);
}

static void ledger(struct tw_json *json, const tcpwhy_report *report, const struct tw_stream_row *s)
{
    tw_json_string(json, "unit", tw_column_unit(s->duration_ns));
    tw_json_array(json, "ledger");
    for (size_t i = 0; i < s->n_ledger; i++)
        entry(json, report, s, &s->ledger[i]);
    tw_json_end(json);
}

static gint slowest_first(gconstpointer a, gconstpointer b)
{
    const struct tcpwhy_exchange *x = a, *y = b;

    if (x->total_ns != y->total_ns)
        return x->total_ns > y->total_ns ? -1 : 1;
    return (x->request_frame > y->request_frame) - (x->request_frame < y->request_frame);
}

static void exchange(struct tw_json *json, const struct tcpwhy_exchange *e)
{
    g_autoptr(tw_string) request = tw_string_new(NULL);

    tw_text_fit(request, e->request, MAX_REQUEST, false);
    tw_json_array(json, NULL);
    tw_json_ms(json, NULL, e->start_ns);
    tw_json_ms(json, NULL, e->total_ns);
    tw_json_string(json, NULL, tw_duration(e->first_byte_ns).text);
    tw_json_string(json, NULL, tw_duration(e->total_ns).text);
    tw_json_string(json, NULL, tw_byte_size(e->request_bytes).text);
    tw_json_string(json, NULL, tw_byte_size(e->response_bytes).text);
    tw_json_uint(json, NULL, e->request_frame);
    tw_json_uint(json, NULL, MAX(e->response_last_frame, e->request_last_frame));
    tw_json_uint(json, NULL, e->status);
    tw_json_string(json, NULL, request->str);
    tw_json_end(json);
}

static void exchanges(struct tw_json *json, const struct tw_stream_row *s, size_t max_length)
{
    size_t most = CLAMP(max_length / EXCHANGES_PART, MIN_EXCHANGES, MAX_EXCHANGES);
    tw_array *sorted = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_exchange));

    tw_array_append_vals(sorted, s->exchanges, (guint)s->n_exchanges);
    tw_array_sort(sorted, slowest_first);
    tw_json_array(json, "exchanges");
    for (guint i = 0; i < sorted->len && i < most; i++)
        exchange(json, &tw_array_index(sorted, struct tcpwhy_exchange, i));
    tw_json_end(json);
    tw_json_uint(json, "n_exchanges", s->n_exchanges);
    tw_array_free(sorted, TRUE);
}

static void percentiles(struct tw_json *json, const struct tcpwhy_percentiles *l)
{
    const struct {
        const char *name;
        tcpwhy_ns ns;
    } parts[] = { { "min", l->min_ns }, { "median", l->p50_ns }, { "p75", l->p75_ns },
                  { "p90", l->p90_ns }, { "p99", l->p99_ns },    { "max", l->max_ns } };

    if (l->count < 2)
        return;
    tw_json_array(json, "percentiles");
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        tw_json_array(json, NULL);
        tw_json_string(json, NULL, parts[i].name);
        tw_json_string(json, NULL, tw_duration(parts[i].ns).text);
        tw_json_real(json, NULL, l->max_ns > 0 ? (double)parts[i].ns / (double)l->max_ns : 0);
        tw_json_end(json);
    }
    tw_json_end(json);
}

/* From when to when what hurts most is. */
static void worst_part(struct tw_json *json, const struct tw_flow_source *source)
{
    const struct tcpwhy_flow_options options = { .struct_size = sizeof(options) };
    struct tw_flow flow;

    tw_flow_build(source->stream, source->log, &options, &flow);
    if (flow.n_frames > 0) {
        tw_json_array(json, "worst");
        tw_json_ms(json, NULL, flow.from_ns);
        tw_json_ms(json, NULL, flow.to_ns);
        tw_json_end(json);
    }
    tw_flow_clear(&flow);
}

static void pictures(struct tw_json *json, const struct tw_flow_source *source,
                     struct tw_notes *notes, size_t max_length)
{
    size_t rows_length = max_length / ROWS_PART;
    uint32_t max_rows = (uint32_t)CLAMP(rows_length / ROW_LENGTH, MIN_ROWS, MAX_ROWS);
    struct tw_thin_graphs *graphs = tw_html_curves_thin(source, max_length - rows_length);

    worst_part(json, source);
    tw_html_rows(json, source, max_rows, notes);
    tw_html_why(json, source->stream, notes, max_length / WHY_PART);
    tw_html_curves(json, graphs);
    tw_html_curves_free(graphs);
}

void tw_html_detail(struct tw_json *json, const tcpwhy_report *report,
                    const struct tw_flow_source *source, struct tw_notes *notes, size_t max_length)
{
    const struct tw_stream_row *s = source->stream;

    tw_json_object(json, NULL);
    tw_json_stream_ends(json, s);
    if (s->server_name)
        tw_json_string(json, "name", s->server_name);
    tw_json_ms(json, "from", s->start_ns);
    tw_json_ms(json, "to", s->start_ns + s->duration_ns);
    facts(json, s);
    ledger(json, report, s);
    percentiles(json, &s->latency);
    exchanges(json, s, max_length);
    if (source->log && source->log->n > 0)
        pictures(json, source, notes, max_length);
    tw_json_end(json);
}
