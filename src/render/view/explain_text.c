/* SPDX-License-Identifier: MIT */
/*
 * Each connection: endpoints, duration, RTT, requests, ledger; then the findings.
 */
#include "render/renderer.h"
#include "render/view/stream_words.h"
#include "render/view/text_parts.h"

#define LABEL_WIDTH 11

static void ends(struct tw_layout *page, const struct tw_stream_row *s)
{
    char client[TCPWHY_ENDPOINT_TEXT], server[TCPWHY_ENDPOINT_TEXT];
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "Stream %u: %s (client) to %s (server)", s->stream,
                           tcpwhy_endpoint_format(&s->client, client),
                           tcpwhy_endpoint_format(&s->server, server));
    if (s->roles_inferred)
        g_string_append(text, ", roles inferred");
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, text->str);
    g_string_free(text, TRUE);
}

static void entry(struct tw_layout *page, const char *label, enum tw_tone tone, GString *text)
{
    tw_layout_entry(page, LABEL_WIDTH, label, tone, text->str);
    g_string_truncate(text, 0);
}

static void stream(struct tw_layout *page, const struct tw_stream_row *s)
{
    GString *text = g_string_new(NULL);

    tw_layout_end_line(page);
    ends(page, s);
    tw_stream_life(text, s);
    entry(page, "duration", TW_TONE_PLAIN, text);
    tw_stream_payload(text, s);
    entry(page, "payload", TW_TONE_PLAIN, text);
    tw_stream_rtt(text, s);
    entry(page, "RTT", TW_TONE_PLAIN, text);
    tw_stream_vantage(text, s);
    entry(page, "captured", TW_TONE_PLAIN, text);
    tw_text_latency(page, LABEL_WIDTH, "requests", &s->latency, &s->status);
    tw_stream_verdict(text, &s->verdict);
    entry(page, "verdict", tw_text_cause_tone(s->verdict.cause), text);
    if (s->n_ledger > 0) {
        tw_layout_end_line(page);
        tw_text_ledger(page, s->ledger, s->n_ledger, 0);
    }
    g_string_free(text, TRUE);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n, n_findings;
    const struct tw_stream_row *s = tw_report_streams(request->report, &n);

    tw_text_capture(page, request->report);
    if (n == 0)
        tw_text_say_no_stream(page, request->report);
    for (size_t i = 0; i < n && !page->out->stopped; i++)
        stream(page, &s[i]);
    tw_text_failures(page, request->report);
    tw_report_findings(request->report, &n_findings);
    if (n_findings > 0) {
        tw_layout_end_line(page);
        tw_text_findings(page, request->report);
    }
}

const struct tw_renderer tw_renderer_explain_text = {
    .document = TCPWHY_DOC_EXPLAIN,
    .text = text,
};
