/* SPDX-License-Identifier: MIT */
/*
 * The same words as the diagnosis on a terminal, and its numbers large.
 */
#include "render/page/page.h"
#include "render/view/verdict_words.h"
#include "render/view/view.h"
#include "render/writers/html.h"

/* A section comment may be a novel. */
#define MAX_COMMENT 400

void tw_html_capture_head(struct tw_writer *out, const tcpwhy_report *report, const char *name)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_html_element(out, "h1", NULL, name);
    tw_text_scope(text, report);
    tw_html_element(out, "p", "q", text->str);
    if (c->comment[0]) {
        tw_string_truncate(text, 0);
        tw_text_comment(text, c, MAX_COMMENT, false);
        tw_html_element(out, "p", "q", text->str);
    }
    tw_writer_text(out, "\n");
}

static void tile(struct tw_writer *out, const char *label, const char *value)
{
    tw_writer_text(out, "<div>");
    tw_html_element(out, "dt", NULL, label);
    tw_html_element(out, "dd", NULL, value);
    tw_writer_text(out, "</div>");
}

static void lost_tiles(struct tw_writer *out, const struct tcpwhy_verdict *v)
{
    if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE)
        return;
    tile(out, "lost", tw_duration(v->cost_ns).text);
    tile(out, "of all waiting", tw_percent(v->share).text);
    tile(out, v->streams == 1 ? "connection affected" : "connections affected",
         tw_count(v->streams).text);
}

static void tiles(struct tw_writer *out, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);

    tw_writer_text(out, "<dl class=\"tiles\">");
    lost_tiles(out, tcpwhy_report_verdict(report));
    if (latency->count > 0) {
        tile(out, latency->count == 1 ? "request" : "requests", tw_count(latency->count).text);
        tile(out, "median response", tw_duration(latency->p50_ns).text);
        tile(out, latency->p99_ns == latency->max_ns ? "max response" : "p99 response",
             tw_duration(latency->p99_ns).text);
    }
    tw_writer_text(out, "</dl>\n");
}

void tw_html_verdict(struct tw_layout *page, const tcpwhy_report *report)
{
    const struct tw_form *form = &tw_form_html;
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);
    g_autoptr(tw_string) text = tw_string_new(NULL);
    enum tw_tone tone = tw_verdict_sentence(text, report);

    form->sentence(page, tone, text->str);
    tiles(page->out, report);
    if (latency->count > 1) {
        tw_string_truncate(text, 0);
        tw_text_answered(text, latency, tcpwhy_report_status(report));
        tw_html_element(page->out, "p", "q", text->str);
    }
    tw_facts(form, page, report, tw_verdict_errors(report));
    tw_quality(form, page, report);
    form->end(page);
}
