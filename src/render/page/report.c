/* SPDX-License-Identifier: MIT */
/*
 * The page of tcpwhy report: verdict, time by cause, findings, a flow graph of the costliest part,
 * all connections. All of that is plain HTML; the script sorts the table and draws the selected
 * connection.
 */
#include <stdio.h>

#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/counts.h"
#include "render/page/page.h"
#include "render/pictures/flow.h"
#include "render/pictures/heat_map.h"
#include "render/pictures/waterfall.h"
#include "render/view/verdict_words.h"
#include "render/view/view.h"
#include "render/writers/html.h"
#include "report/findings/story.h"

/* ---- the head of a capture: what it is, the verdict, what to know before believing it -------- */

/* A section comment may be a novel. */
#define MAX_COMMENT 400

static void capture_head(struct tw_writer *out, const tcpwhy_report *report, const char *name)
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

static void lost_tiles(struct tw_writer *out, const tcpwhy_report *report)
{
    const struct tcpwhy_verdict *v = tcpwhy_report_verdict(report);
    struct tw_story story = { .cost_ns = v->cost_ns };
    double waited_ns;

    if (v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE)
        return;
    tw_story_find(report, &story);
    waited_ns = v->share > 0 ? (double)v->cost_ns / v->share : 0;
    waited_ns = MAX(waited_ns, (double)story.cost_ns);
    tile(out, "lost", tw_part(story.cost_ns, tw_report_whole(report)).text);
    tile(out, "of all waiting",
         tw_percent(waited_ns > 0 ? (double)story.cost_ns / waited_ns : 0).text);
    tile(out, v->streams == 1 ? "connection affected" : "connections affected",
         tw_count(v->streams).text);
}

static void tiles(struct tw_writer *out, const tcpwhy_report *report)
{
    const struct tcpwhy_percentiles *latency = tcpwhy_report_latency(report);

    tw_writer_text(out, "<dl class=\"tiles\">");
    lost_tiles(out, report);
    if (latency->count > 0) {
        tile(out, latency->count == 1 ? "request" : "requests", tw_count(latency->count).text);
        tile(out, "median response", tw_duration(latency->p50_ns).text);
        tile(out, latency->p99_ns == latency->max_ns ? "max response" : "p99 response",
             tw_duration(latency->p99_ns).text);
    }
    tw_writer_text(out, "</dl>\n");
}

static void verdict(struct tw_layout *page, const tcpwhy_report *report)
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

/* ---- the page -------------------------------------------------------------------------------- */

/* Rows of the picture: it is there to be understood at a glance. */
#define PICTURE_ROWS 60

#define LEDGER_ROWS 8

#define PREFIX 32

/* More servers are in "tcpwhy latency". */
#define MOST_HEAT_MAPS 3

/* Maximum size of a page with all its captures; texts of many streams may exceed it. */
#define MAX_BYTES 940000
#define MIN_DATA  60000

static void time_spent(struct tw_layout *page, const tcpwhy_report *report,
                       const struct tw_cause_sums *sums)
{
    enum tcpwhy_cause order[TW_N_CAUSES];
    size_t n = tw_cause_sums_order(sums, order), n_entries;
    const struct tcpwhy_ledger_entry *entry = tw_report_ledger(report, &n_entries);

    if (n == 0)
        return;
    tw_form_html.heading(page, "time", "Where the time went");
    tw_html_bar(page->out, sums, order, n);
    tw_ledger_table(&tw_form_html, page, report, entry, n_entries, LEDGER_ROWS);
    tw_form_html.end(page);
}

/* The stream of the costliest finding, or else the first; NULL when its log was not kept. */
static const struct tw_flow_source *worst_of(const tcpwhy_report *report,
                                             const struct tw_stream_row *first,
                                             const struct tw_flow_source *source, uint32_t n)
{
    size_t n_findings;
    const struct tw_finding_row *f = tw_report_findings(report, &n_findings);
    uint32_t stream = n_findings > 0 ? f->stream : first->stream;

    for (uint32_t i = 0; i < n; i++)
        if (source[i].stream->stream == stream && source[i].log->n > 0)
            return &source[i];
    return NULL;
}

static void picture(struct tw_writer *out, const tcpwhy_report *report,
                    const struct tw_stream_row *first)
{
    const struct tcpwhy_flow_options options = { .struct_size = sizeof(options),
                                                 .max_rows = PICTURE_ROWS };
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(report, &source);
    const struct tw_flow_source *worst = worst_of(report, first, source, n);
    size_t n_findings;

    tw_report_findings(report, &n_findings);
    if (worst) {
        tw_writer_printf(out,
                         "<section class=\"picture\">\n<h2>%s</h2>\n"
                         "<figure class=\"wide\">\n",
                         n_findings > 0 ? "Costliest part, frame by frame" : "Frame by frame");
        tw_flow_svg_in_html(worst, &options, out);
        tw_writer_text(out, "</figure>\n</section>\n");
    }
    tw_free(source);
}

/* Latencies over time of the servers that answered. */
static void latencies(struct tw_writer *out, const tcpwhy_report *report)
{
    tw_array *services = tw_services(report, TCPWHY_S(2));
    bool any = false;

    for (guint i = 0; i < services->len; i++)
        any |= tw_array_index(services, struct tw_service, i).answered > 1;
    if (any) {
        tw_writer_text(out, "<section class=\"picture\">\n<h2>Latency over time</h2>\n"
                            "<figure class=\"wide\">\n");
        tw_heat_map_svg(out, (const struct tw_service *)(const void *)services->data,
                        MIN(services->len, MOST_HEAT_MAPS), true);
        tw_writer_text(out, "</figure>\n</section>\n");
    }
    tw_services_free(services);
}

/* The requests, as the network panel of a browser draws them. */
static void waterfall(struct tw_writer *out, const tcpwhy_report *report)
{
    const struct tcpwhy_render_options all = { .struct_size = sizeof(all) };
    tw_array *rows = tw_phases_of(report, &all);

    if (rows->len > 0) {
        tw_writer_text(out, "<section class=\"picture\">\n<h2>Requests</h2>\n"
                            "<figure class=\"wide\">\n");
        tw_waterfall_in_html(rows, out);
        tw_writer_text(out, "</figure>\n</section>\n");
    }
    tw_array_free(rows, TRUE);
}

struct captures {
    const tcpwhy_report *const *report;
    size_t n;
};

static const char *file_of(const struct captures *all, size_t i)
{
    return tw_report_capture(all->report[i])->file;
}

/* Length of the path of the folder that all captures are in, with its last slash. */
static size_t common_folder(const struct captures *all)
{
    const char *first = file_of(all, 0);
    size_t len = 0;

    for (size_t at = 0; first[at]; at++) {
        for (size_t i = 1; i < all->n; i++)
            if (file_of(all, i)[at] != first[at])
                return len;
        if (first[at] == '/')
            len = at + 1;
    }
    return len;
}

/* A file's name; where another capture has the same one, with the folders in which they differ. */
static const char *name_of(const struct captures *all, size_t number)
{
    const char *file = file_of(all, number), *name = tw_name_capture(file);

    for (size_t i = 0; i < all->n; i++)
        if (i != number && strcmp(tw_name_capture(file_of(all, i)), name) == 0 && file[0])
            return file + common_folder(all);
    return name;
}

/* May grow the page to that many bytes. */
static void capture(struct tw_writer *out, const struct captures *all, size_t number,
                    size_t max_total)
{
    const tcpwhy_report *report = all->report[number];
    tw_array *streams = tw_html_worst_first(report);
    struct tw_cause_sums sums = { 0 };
    char prefix[PREFIX];
    struct tw_layout page;

    tw_layout_init(&page, out, &tw_html_wide);
    page.links = prefix;
    snprintf(prefix, sizeof(prefix), "c%zu", number);
    for (guint i = 0; i < streams->len; i++) {
        const struct tw_stream_row *s = tw_array_index(streams, struct tw_ranked, i).stream;

        tw_cause_sums_add(&sums, s->ledger, s->n_ledger);
    }
    tw_writer_printf(out, "<article class=\"capture\" id=\"%s\">\n", prefix);
    capture_head(out, report, name_of(all, number));
    verdict(&page, report);
    if (streams->len > 0) {
        time_spent(&page, report, &sums);
        tw_failures(&tw_form_html, &page, report);
        tw_findings(&tw_form_html, &page, report);
        picture(out, report, tw_array_index(streams, struct tw_ranked, 0).stream);
        latencies(out, report);
        waterfall(out, report);
        tw_html_streams(out, streams, &sums, prefix);
        tw_html_data(out, report, streams, MAX(max_total, tw_writer_total(out) + MIN_DATA));
    }
    tw_writer_text(out, "</article>\n");
    tw_array_free(streams, TRUE);
}

/* Table of contents for several captures, with their verdicts. */
static void contents(struct tw_writer *out, const struct captures *all)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_writer_text(out, "<nav>\n<h2>Captures</h2>\n<ol>\n");
    for (size_t i = 0; i < all->n; i++) {
        tw_string_truncate(text, 0);
        tw_verdict_sentence(text, all->report[i]);
        tw_writer_printf(out, "<li><a href=\"#c%zu\">", i);
        tw_writer_escaped(out, name_of(all, i));
        tw_writer_text(out, "</a> ");
        tw_html_element(out, "span", NULL, text->str);
        tw_writer_text(out, "</li>\n");
    }
    tw_writer_text(out, "</ol>\n</nav>\n");
}

static char *title_of(const struct captures *all)
{
    if (all->n == 1)
        return tw_strdup_printf("tcpwhy: %s", name_of(all, 0));
    return tw_strdup_printf("tcpwhy: %zu captures", all->n);
}

static void html(const struct tw_request *request, struct tw_writer *out)
{
    struct tw_html_page page = { .style = { &tw_asset_style, &tw_asset_chart_style },
                                 .script = { &tw_asset_chart_script, &tw_asset_script } };
    size_t n = request->options.n_more + 1;
    size_t share = (MAX_BYTES - tw_asset_chart_script.len - tw_asset_script.len) / n;
    const tcpwhy_report **reports = tw_new(const tcpwhy_report *, n);
    const struct captures all = { reports, n };
    char *title;

    reports[0] = request->report;
    for (size_t i = 1; i < n; i++)
        reports[i] = request->options.more[i - 1];
    title = title_of(&all);
    page.title = title;
    tw_html_begin(out, &page);
    if (n > 1)
        contents(out, &all);
    for (size_t i = 0; i < n && !out->stopped; i++)
        capture(out, &all, i, share * (i + 1));
    tw_html_end(out, &page);
    tw_free(title);
    tw_free(reports);
}

static bool ready(const struct tw_request *request)
{
    const struct tcpwhy_render_options *options = &request->options;

    for (size_t i = 0; i < options->n_more; i++)
        if (!options->more || !options->more[i])
            return false;
    return true;
}

const struct tw_renderer tw_renderer_report = {
    .document = TCPWHY_DOC_REPORT,
    .ready = ready,
    .write = { [TCPWHY_FORMAT_HTML] = html },
};
