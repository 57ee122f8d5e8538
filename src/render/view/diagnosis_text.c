/* SPDX-License-Identifier: MIT */
/*
 * The first screen: is anything wrong, what did it cost, who can mend it. 80x24 for one sick
 * connection; everything is ordered by the milliseconds lost.
 */
#include "base/number.h"
#include "render/renderer.h"
#include "render/writers/table.h"
#include "render/view/text_parts.h"
#include "render/view/verdict_words.h"

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

enum { COL_STREAM, COL_CLIENT, COL_SERVER, COL_LIFE, COL_MEDIAN, COL_LOST, COL_SHARE, COL_CAUSE };

static const struct tw_column columns[] = {
    [COL_STREAM] = { .title = "stream", .right = true },
    [COL_CLIENT] = { .title = "client", .min = 12 },
    [COL_SERVER] = { .title = "server", .min = 12, .leaves = 3 },
    [COL_LIFE] = { .title = "duration", .right = true, .leaves = 1 },
    [COL_MEDIAN] = { .title = "median", .right = true, .leaves = 2 },
    [COL_LOST] = { .title = "lost", .right = true },
    [COL_SHARE] = { .title = "share", .right = true },
    [COL_CAUSE] = { .title = "main cause" },
};

static void worst_cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                       GString *text, enum tw_tone *tone)
{
    const struct tw_stream_row *s = ((const struct tw_stream_row *const *)data)[row];
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
        g_string_append(text, tw_number_duration(s->verdict.cost_ns, scratch));
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

static void worst_streams(struct tw_layout *page, const struct tw_stream_row *stream, size_t n)
{
    const struct tw_stream_row *worst[MAX_WORST];
    struct tw_table table = { .columns = columns,
                              .n_columns = G_N_ELEMENTS(columns),
                              .indent = 2,
                              .data = worst,
                              .cell = worst_cell };

    table.n_rows = find_worst(stream, n, worst);
    if (n < 2 || table.n_rows == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Worst connections");
    tw_table_draw(page, &table);
}

/* A connection of one frame has no time to tell of. */
static void ledger_of(struct tw_layout *page, const char *title,
                      const struct tcpwhy_ledger_entry *ledger, size_t n)
{
    if (n == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, title);
    tw_text_ledger(page, ledger, n, MAX_LEDGER_ROWS);
}

static void where_time_went(struct tw_layout *page, const tcpwhy_report *report)
{
    bool alone = tw_report_capture(report)->streams == 1;
    size_t n_rows, n_listeners;
    const struct tw_stream_row *stream = tw_report_streams(report, &n_rows);
    const struct tw_listener_row *listener = tw_report_listeners(report, &n_listeners);
    GString *title = g_string_new("Where the time went in ");

    if (alone && n_rows > 0) {
        g_string_append_printf(title, "stream %u", stream->stream);
        ledger_of(page, title->str, stream->ledger, stream->n_ledger);
    } else if (n_listeners > 0) {
        tw_text_count(title, listener->connections, "connection", "connections");
        g_string_append(title, " to ");
        tw_text_holder(title, &listener->endpoint, TCPWHY_PARTY_NONE);
        ledger_of(page, title->str, listener->ledger, listener->n_ledger);
    }
    g_string_free(title, TRUE);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n, n_findings;
    const struct tw_stream_row *stream = tw_report_streams(request->report, &n);
    GString *sentence = g_string_new(NULL);
    enum tw_tone tone;

    tw_text_capture(page, request->report);
    tw_layout_end_line(page);
    tone = tw_verdict_sentence(sentence, request->report);
    tw_layout_paragraph(page, 0, tone, sentence->str);
    g_string_free(sentence, TRUE);
    if (n == 0)
        return;
    tw_text_latency(page, 0, "", tcpwhy_report_latency(request->report), NULL);
    tw_text_facts(page, request->report);
    tw_report_findings(request->report, &n_findings);
    if (n_findings > 0) {
        tw_layout_end_line(page);
        tw_text_findings(page, request->report);
        worst_streams(page, stream, n);
    }
    where_time_went(page, request->report);
}

const struct tw_renderer tw_renderer_diagnosis_text = {
    .document = TCPWHY_DOC_DIAGNOSIS,
    .text = text,
};
