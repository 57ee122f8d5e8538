/* SPDX-License-Identifier: MIT */
/*
 * The first screen: is anything wrong, what did it cost, who can mend it. 80x24 for one sick
 * connection; everything is ordered by the milliseconds lost.
 */
#include "render/number.h"
#include "render/renderer.h"
#include "render/table.h"
#include "render/text.h"
#include "render/text_parts.h"

#define MAX_WORST       5
#define MAX_LEDGER_ROWS 4

static void healthy(struct tw_page *page, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    size_t n_facts;
    GString *text;

    tcpwhy_report_facts(report, &n_facts);
    text = g_string_new(n_facts ? "No time was lost: in " : "Nothing is wrong: in ");
    tw_text_count(text, n_streams, "connection", "connections");
    if (latency->count > 0) {
        g_string_append(text, " with ");
        tw_text_count(text, latency->count, "request", "requests");
    }
    g_string_append(text, " nobody waited for anything that could be changed.");
    tw_page_paragraph(page, 0, TW_TONE_GOOD, text->str);
    g_string_free(text, TRUE);
}

/* Where about every request waited once for the costliest finding, how much of it that was. */
static void of_each_request(GString *to, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    size_t n;
    const struct tcpwhy_finding *f = tcpwhy_report_findings(report, &n);
    char number[TW_NUMBER_TEXT];

    if (n == 0 || latency->count < 2 || f->count < latency->count / 2 ||
        f->count > latency->count || f->median_ns == TCPWHY_NS_UNKNOWN ||
        f->median_ns > latency->p50_ns)
        return;
    g_string_append_printf(to, " Requests were answered in %s at the median,",
                           tw_number_duration(latency->p50_ns, number));
    g_string_append_printf(to, " of which %s were lost to it.",
                           tw_number_duration(f->median_ns, number));
}

/* The client's own pause is told, but it is nobody's fault. */
static void idle(struct tw_page *page, const struct tcpwhy_verdict *v)
{
    GString *text = g_string_new("Nothing is wrong: nobody waited. For ");
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(text, "%s, ", tw_number_duration(v->cost_ns, number));
    g_string_append_printf(text, "%s of the life of its connections, %s",
                           tw_number_percent(v->share, number), tcpwhy_cause_info(v->cause)->title);
    if (v->endpoint.version)
        tw_text_holder(g_string_append(text, ", at "), &v->endpoint, v->party);
    g_string_append(text, ".");
    tw_page_paragraph(page, 0, TW_TONE_GOOD, text->str);
    g_string_free(text, TRUE);
}

static void sick(struct tw_page *page, const tcpwhy_report *report, size_t n_streams)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    if (v->streams < n_streams)
        g_string_append_printf(text, "%s of ", tw_number_count(v->streams, number));
    tw_text_count(text, n_streams, "connection", "connections");
    g_string_append_printf(text, " lost %s", tw_number_duration(v->cost_ns, number));
    g_string_append_printf(text, ", %s of the time that somebody waited: %s, at ",
                           tw_number_percent(v->share, number), tcpwhy_cause_info(v->cause)->title);
    tw_text_holder(text, &v->endpoint, v->party);
    g_string_append(text, ".");
    of_each_request(text, report);
    tw_page_paragraph(page, 0, TW_TONE_BAD, text->str);
    g_string_free(text, TRUE);
}

/* The streams that lost most, insertion-sorted into worst[]. @return how many. */
static size_t find_worst(const struct tcpwhy_stream *stream, size_t n,
                         const struct tcpwhy_stream **worst)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_stream *s = &stream[i];
        size_t at = found;

        if (s->verdict.cause == TCPWHY_CAUSE_NONE || s->verdict.cause == TCPWHY_CLIENT_IDLE ||
            s->verdict.cost_ns <= 0)
            continue;
        while (at > 0 && worst[at - 1]->verdict.cost_ns < s->verdict.cost_ns)
            at--;
        if (at == MAX_WORST)
            continue;
        found = found < MAX_WORST ? found + 1 : MAX_WORST;
        for (size_t k = found - 1; k > at; k--)
            worst[k] = worst[k - 1];
        worst[at] = s;
    }
    return found;
}

enum { COL_STREAM, COL_CLIENT, COL_SERVER, COL_LIFE, COL_MEDIAN, COL_LOST, COL_SHARE, COL_CAUSE };

static const struct tw_column columns[] = {
    [COL_STREAM] = { .title = "stream", .right = true },
    [COL_CLIENT] = { .title = "client", .min = 12 },
    [COL_SERVER] = { .title = "server", .min = 12, .leaves = 3 },
    [COL_LIFE] = { .title = "lasted", .right = true, .leaves = 1 },
    [COL_MEDIAN] = { .title = "median", .right = true, .leaves = 2 },
    [COL_LOST] = { .title = "lost ms", .right = true },
    [COL_SHARE] = { .title = "share", .right = true },
    [COL_CAUSE] = { .title = "to" },
};

static void worst_cell(const struct tw_page *page, const void *data, size_t row, size_t column,
                       GString *text, enum tw_tone *tone)
{
    const struct tcpwhy_stream *s = ((const struct tcpwhy_stream *const *)data)[row];
    char scratch[TCPWHY_ENDPOINT_TEXT + TW_NUMBER_TEXT];

    (void)page;
    switch (column) {
    case COL_STREAM:
        g_string_append(text, tw_number_count(s->stream, scratch));
        break;
    case COL_CLIENT:
        g_string_append(text, tcpwhy_endpoint_format(&s->client, scratch));
        break;
    case COL_SERVER:
        g_string_append(text, tcpwhy_endpoint_format(&s->server, scratch));
        break;
    case COL_LIFE:
        g_string_append(text, tw_number_duration(s->duration_ns, scratch));
        break;
    case COL_MEDIAN:
        g_string_append(text, tw_number_duration(s->latency.p50_ns, scratch));
        break;
    case COL_LOST:
        g_string_append(text, tw_number_ms(s->verdict.cost_ns, 1, scratch));
        break;
    case COL_SHARE:
        g_string_append(text, tw_number_percent(s->verdict.share, scratch));
        break;
    default:
        g_string_append(text, tcpwhy_cause_info(s->verdict.cause)->name);
        *tone = tw_text_cause_tone(s->verdict.cause);
        break;
    }
}

static void worst_streams(struct tw_page *page, const struct tcpwhy_stream *stream, size_t n)
{
    const struct tcpwhy_stream *worst[MAX_WORST];
    struct tw_table table = { .columns = columns,
                              .n_columns = G_N_ELEMENTS(columns),
                              .indent = 2,
                              .data = worst,
                              .cell = worst_cell };

    table.n_rows = find_worst(stream, n, worst);
    if (n < 2 || table.n_rows == 0)
        return;
    tw_page_end_line(page);
    tw_page_line(page, TW_TONE_STRONG, "Worst connections");
    tw_table_draw(page, &table);
}

static void where_time_went(struct tw_page *page, const tcpwhy_report *report)
{
    size_t n_streams, n_listeners;
    const struct tcpwhy_stream *stream = tcpwhy_report_streams(report, &n_streams);
    const struct tcpwhy_listener *listener = tcpwhy_report_listeners(report, &n_listeners);
    GString *title = g_string_new("Where the time went");

    if (n_streams == 1) {
        g_string_append_printf(title, " in stream %u", stream->stream);
    } else if (n_listeners > 0) {
        g_string_append(title, " in ");
        tw_text_count(title, listener->connections, "connection", "connections");
        g_string_append(title, " to ");
        tw_text_holder(title, &listener->endpoint, TCPWHY_PARTY_NONE);
    }
    tw_page_end_line(page);
    tw_page_line(page, TW_TONE_STRONG, title->str);
    if (n_streams == 1)
        tw_text_ledger(page, stream->ledger, stream->n_ledger, MAX_LEDGER_ROWS);
    else if (n_listeners > 0)
        tw_text_ledger(page, listener->ledger, listener->n_ledger, MAX_LEDGER_ROWS);
    g_string_free(title, TRUE);
}

static void text(const struct tw_request *request, struct tw_page *page)
{
    const struct tcpwhy_verdict *verdict = tcpwhy_report_verdict(request->report);
    size_t n, n_findings;
    const struct tcpwhy_stream *stream = tcpwhy_report_streams(request->report, &n);

    tw_text_capture(page, request->report);
    tw_page_end_line(page);
    if (n == 0) {
        tw_page_line(page, TW_TONE_WARN, "There is no TCP connection in it.");
        return;
    }
    if (verdict->cause == TCPWHY_CAUSE_NONE)
        healthy(page, request->report, n);
    else if (verdict->cause == TCPWHY_CLIENT_IDLE)
        idle(page, verdict);
    else
        sick(page, request->report, n);
    tw_text_latency(page, 0, "", tcpwhy_report_latency(request->report), NULL);
    tw_text_facts(page, request->report);
    tcpwhy_report_findings(request->report, &n_findings);
    if (n_findings > 0) {
        tw_page_end_line(page);
        tw_text_findings(page, request->report);
        worst_streams(page, stream, n);
    }
    where_time_went(page, request->report);
}

const struct tw_renderer tw_renderer_diagnosis_text = {
    .document = TCPWHY_DOC_DIAGNOSIS,
    .text = text,
};
