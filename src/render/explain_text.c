/* SPDX-License-Identifier: MIT */
/*
 * Each connection by itself: who, where, how far, its ledger and its exchanges; then the findings.
 */
#include "render/number.h"
#include "render/renderer.h"
#include "render/text_parts.h"

#define LABEL_WIDTH 11

static void ends(struct tw_page *page, const struct tcpwhy_stream *s)
{
    char client[TCPWHY_ENDPOINT_TEXT], server[TCPWHY_ENDPOINT_TEXT];
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, "Stream %u: %s (client) to %s (server)", s->stream,
                           tcpwhy_endpoint_format(&s->client, client),
                           tcpwhy_endpoint_format(&s->server, server));
    if (s->roles_inferred)
        g_string_append(text, ", who is who inferred");
    tw_page_paragraph(page, 0, TW_TONE_STRONG, text->str);
    g_string_free(text, TRUE);
}

static void life(struct tw_page *page, const struct tcpwhy_stream *s)
{
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    g_string_append(text, tw_number_duration(s->duration_ns, number));
    g_string_append_printf(text, ", from %s s in", tw_number_seconds(s->start_ns, 3, number));
    g_string_append_printf(text, ", frames %u to %u", s->first_frame, s->last_frame);
    g_string_append_printf(text, " (%s of them)", tw_number_count(s->frames, number));
    if (!s->complete_start)
        g_string_append(text, "; its beginning is not in the capture");
    if (!s->complete_end)
        g_string_append(text,
                        s->complete_start ? "; its end is not in the capture" : ", nor its end");
    tw_page_entry(page, LABEL_WIDTH, "lasted", TW_TONE_PLAIN, text->str);
    g_string_free(text, TRUE);
}

static void carried(struct tw_page *page, const struct tcpwhy_stream *s)
{
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(text, "%s to the server, ", tw_number_bytes(s->bytes_to_server, number));
    g_string_append_printf(text, "%s to the client; ", tw_number_bytes(s->bytes_to_client, number));
    tw_text_count(text, s->retransmissions, "retransmission", "retransmissions");
    tw_page_entry(page, LABEL_WIDTH, "carried", TW_TONE_PLAIN, text->str);
    g_string_free(text, TRUE);
}

static void path(struct tw_page *page, const struct tcpwhy_stream *s)
{
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    if (s->rtt_min_ns == TCPWHY_NS_UNKNOWN) {
        g_string_append(text, "round trip not known");
    } else {
        g_string_append_printf(text, "round trip %s at least",
                               tw_number_duration(s->rtt_min_ns, number));
        g_string_append_printf(text, ", %s at the median",
                               tw_number_duration(s->rtt_median_ns, number));
        g_string_append_printf(text, ", %s at most", tw_number_duration(s->rtt_max_ns, number));
    }
    if (s->vantage == TCPWHY_VANTAGE_UNKNOWN)
        g_string_append(text, "; where it was captured is not known");
    else
        g_string_append_printf(
            text, "; captured %s the %s (%s)", s->vantage == TCPWHY_VANTAGE_MIDDLE ? "in" : "at",
            tcpwhy_vantage_name(s->vantage), tcpwhy_confidence_name(s->vantage_confidence));
    tw_page_entry(page, LABEL_WIDTH, "path", TW_TONE_PLAIN, text->str);
    g_string_free(text, TRUE);
}

static void verdict(struct tw_page *page, const struct tcpwhy_verdict *v)
{
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    if (v->cause == TCPWHY_CAUSE_NONE) {
        g_string_append(text, "nothing is wrong");
    } else {
        tw_text_title(text, v->cause);
        g_string_append(text, ", at ");
        tw_text_holder(text, &v->endpoint, v->party);
        g_string_append_printf(text, ": %s", tw_number_duration(v->cost_ns, number));
        g_string_append_printf(text,
                               v->cause == TCPWHY_CLIENT_IDLE
                                   ? ", %s of its life; nobody waited"
                                   : " lost, %s of the time that somebody waited",
                               tw_number_percent(v->share, number));
        g_string_append_printf(text, " (%s)", tcpwhy_confidence_name(v->confidence));
    }
    tw_page_entry(page, LABEL_WIDTH, "verdict", tw_text_cause_tone(v->cause), text->str);
    g_string_free(text, TRUE);
}

static void stream(struct tw_page *page, const struct tcpwhy_stream *s)
{
    tw_page_end_line(page);
    ends(page, s);
    life(page, s);
    carried(page, s);
    path(page, s);
    tw_text_latency(page, LABEL_WIDTH, "exchanges", &s->latency, &s->status);
    verdict(page, &s->verdict);
    tw_page_end_line(page);
    tw_text_ledger(page, s->ledger, s->n_ledger, 0);
}

static void text(const struct tw_request *request, struct tw_page *page)
{
    size_t n, n_findings;
    const struct tcpwhy_stream *s = tcpwhy_report_streams(request->report, &n);

    tw_text_capture(page, request->report);
    for (size_t i = 0; i < n && !page->out->stopped; i++)
        stream(page, &s[i]);
    tcpwhy_report_findings(request->report, &n_findings);
    if (n_findings > 0) {
        tw_page_end_line(page);
        tw_text_findings(page, request->report);
    }
}

const struct tw_renderer tw_renderer_explain_text = {
    .document = TCPWHY_DOC_EXPLAIN,
    .text = text,
};
