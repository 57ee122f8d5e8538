/* SPDX-License-Identifier: MIT */
/*
 * Each connection: endpoints, duration, RTT, requests, ledger; then the findings.
 */
#include "render/view/view.h"
#include "report/facts/name_rows.h"

#define LABEL_WIDTH 11

static void ends(struct tw_layout *page, const struct tw_stream_row *s)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text, "Stream %u: ", s->stream);
    tw_text_holder(text, &s->client, NULL, TCPWHY_PARTY_CLIENT);
    tw_string_append(text, " to ");
    tw_text_holder(text, &s->server, s->server_name, TCPWHY_PARTY_SERVER);
    if (s->roles_inferred)
        tw_string_append(text, ", roles inferred");
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, text->str);
}

/* What its client waited for before the connection, whose time begins with the SYN. */
static void before_syn(struct tw_layout *page, const tcpwhy_report *report, uint32_t stream)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    const struct tcpwhy_before_syn *b = tw_before_syn_of(report, stream);

    if (!b)
        return;
    if (b->next_hop_ns > 0)
        tw_string_append_printf(text, "%s for the next hop %s%s", tw_duration(b->next_hop_ns).text,
                                tw_endpoint(&b->next_hop).text, b->lookup_ns > 0 ? ", " : "");
    if (b->lookup_ns > 0)
        tw_string_append_printf(text, "%s for %s to resolve %s", tw_duration(b->lookup_ns).text,
                                tw_endpoint(&b->resolver).text, b->name);
    tw_layout_entry(page, LABEL_WIDTH, "before SYN", TW_TONE_PLAIN, text->str);
}

static void stream(struct tw_layout *page, const tcpwhy_report *report,
                   const struct tw_stream_row *s)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_layout_end_line(page);
    ends(page, s);
    before_syn(page, report, s->stream);
    for (size_t i = 0; i < TW_STREAM_LINES; i++) {
        bool last = i + 1 == TW_STREAM_LINES;

        tw_string_truncate(text, 0);
        tw_stream_lines[i].words(text, s);
        if (text->len > 0)
            tw_layout_entry(page, LABEL_WIDTH, tw_stream_lines[i].label,
                            last ? tw_text_cause_tone(s->verdict.cause) : TW_TONE_PLAIN, text->str);
    }
    if (s->n_ledger > 0) {
        tw_layout_end_line(page);
        tw_ledger_table(&tw_form_text, page, s->ledger, s->n_ledger, 0);
    }
    tw_text_why(page, s);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(request->report, &n);

    tw_text_capture(page, request->report);
    if (n == 0)
        tw_text_say_no_stream(page, request->report);
    for (size_t i = 0; i < n && !page->out->stopped; i++)
        stream(page, request->report, &s[i]);
    tw_text_say_left_out(page, request->report);
    tw_text_findings(page, request->report);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_verdict(to, tcpwhy_report_verdict(request->report));
    tw_json_failures(to, request);
    tw_json_findings(to, request);
    tw_json_streams(to, request->report, true);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_json_each_stream(to, request->report, true);
}

const struct tw_renderer tw_renderer_explain = {
    .document = TCPWHY_DOC_EXPLAIN,
    .command = "explain",
    .text = text,
    .json = json,
    .lines = lines,
};
