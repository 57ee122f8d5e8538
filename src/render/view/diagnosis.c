/* SPDX-License-Identifier: MIT */
/*
 * The first screen: verdict, findings, worst connections, time by cause. It fits 80x24 for a
 * single connection with a problem; everything is ordered by lost time.
 */
#include "render/view/verdict_words.h"
#include "render/view/view.h"

#define MAX_WORST       5
#define MAX_LEDGER_ROWS 4

/* The streams that lost most, insertion-sorted into worst[]. @return how many. */
static size_t find_worst(const struct tw_stream_row *stream, size_t n,
                         const struct tw_stream_row **worst)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++) {
        const struct tw_stream_row *s = &stream[i];
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

#define OF(member) TW_AT(struct tw_stream_row, member)

static void cause_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tw_stream_row *s = row;

    tw_string_append(text, tw_name_cause(s->verdict.cause));
    *tone = tw_text_cause_tone(s->verdict.cause);
}

static const struct tw_field fields[] = {
    { NULL, TW_UINT, OF(stream), .title = "stream" },
    { NULL, TW_ENDPOINT, OF(client), .title = "client", .min = 12 },
    { NULL, TW_ENDPOINT, OF(server), .title = "server", .min = 12, .leaves = 3 },
    { NULL, TW_MS, OF(duration_ns), .title = "duration", .leaves = 1 },
    { NULL, TW_MS, OF(latency.p50_ns), .title = "median", .leaves = 2 },
    { NULL, TW_MS, OF(verdict.cost_ns), .title = "lost" },
    { NULL, TW_REAL, OF(verdict.share), .title = "share" },
    { NULL, TW_TEXT, .title = "main cause", .cell = cause_cell },
    TW_FIELDS_END,
};

#undef OF

static void worst_streams(struct tw_layout *page, const struct tw_stream_row *stream, size_t n)
{
    const struct tw_stream_row *worst[MAX_WORST];
    struct tw_stream_row rows[MAX_WORST];
    size_t n_worst = find_worst(stream, n, worst);

    if (n < 2 || n_worst == 0)
        return;
    for (size_t i = 0; i < n_worst; i++)
        rows[i] = *worst[i];
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Worst connections");
    tw_fields_table(page, fields, rows, n_worst, sizeof(*rows), 2);
}

/* A connection of one frame has no duration and no ledger. */
static void ledger_of(struct tw_layout *page, const char *title,
                      const struct tcpwhy_ledger_entry *ledger, size_t n)
{
    if (n == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, title);
    tw_ledger_table(&tw_form_text, page, ledger, n, MAX_LEDGER_ROWS);
}

/* Of the whole capture; beside it, the worst of several listeners. */
static void where_time_went(struct tw_layout *page, const tcpwhy_report *report, bool whole)
{
    uint64_t streams = tw_report_capture(report)->streams;
    size_t n, n_rows, n_listeners;
    const struct tcpwhy_ledger_entry *ledger = tw_report_ledger(report, &n);
    const struct tw_stream_row *stream = tw_report_streams(report, &n_rows);
    const struct tw_listener_row *listener = tw_report_listeners(report, &n_listeners);
    g_autoptr(tw_string) title = tw_string_new("Where the time went in ");

    if (whole && n_listeners < 2)
        return;
    if (whole) {
        tw_string_append_printf(title, "all %s",
                                tw_plural(streams, "connection", "connections").text);
        ledger_of(page, title->str, ledger, n);
    } else if (streams == 1 && n_rows > 0) {
        tw_string_append_printf(title, "stream %u", stream->stream);
        ledger_of(page, title->str, stream->ledger, stream->n_ledger);
    } else if (n_listeners > 0) {
        tw_string_append_printf(title, "%s to ",
                                tw_plural(listener->connections, "connection", "connections").text);
        tw_text_holder(title, &listener->endpoint, listener->server_name, TCPWHY_PARTY_NONE);
        ledger_of(page, title->str, listener->ledger, listener->n_ledger);
    }
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n, n_findings;
    const struct tw_stream_row *stream = tw_report_streams(request->report, &n);
    g_autoptr(tw_string) sentence = tw_string_new(NULL);
    enum tw_tone tone;

    tw_text_capture(page, request->report);
    tw_layout_end_line(page);
    tone = tw_verdict_sentence(sentence, request->report);
    tw_layout_paragraph(page, 0, tone, sentence->str);
    if (n == 0) {
        tw_facts(&tw_form_text, page, request->report, tw_verdict_errors(request->report));
        tw_failures(&tw_form_text, page, request->report);
        return;
    }
    tw_text_latency(page, request->report);
    tw_facts(&tw_form_text, page, request->report, tw_verdict_errors(request->report));
    where_time_went(page, request->report, true);
    tw_text_findings(page, request->report);
    tw_report_findings(request->report, &n_findings);
    if (n_findings > 0)
        worst_streams(page, stream, n);
    where_time_went(page, request->report, false);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_verdict(to, tcpwhy_report_verdict(request->report));
    tw_json_failures(to, request);
    tw_json_findings(to, request);
    tw_json_facts(to, request->report);
    tw_json_latency(to, "exchanges", tcpwhy_report_latency(request->report),
                    tcpwhy_report_status(request->report));
    tw_json_streams(to, request->report, false);
    tw_json_listeners(to, request->report, false);
    tw_json_ports(to, request->report);
    tw_json_traffic(to, tw_report_traffic(request->report), true, NULL);
}

const struct tw_renderer tw_renderer_diagnosis = {
    .document = TCPWHY_DOC_DIAGNOSIS,
    .command = "diagnosis",
    .text = text,
    .json = json,
};
