/* SPDX-License-Identifier: MIT */
/*
 * Plain rows that read without a script; data-v is what a script sorts by where the text would not
 * do.
 */
#include "base/counts.h"
#include "render/page/streams.h"

#include "render/writers/html.h"
#include "render/writers/form.h"
#include "base/number.h"

/* More rows than this no one reads, and a browser is slow to show. */
#define MAX_ROWS 1000

/* Does the verdict name lost time? */
static bool lost(const struct tw_stream_row *s)
{
    return s->verdict.cause != TCPWHY_CAUSE_NONE && s->verdict.cause != TCPWHY_CLIENT_IDLE;
}

static gint worse_first(gconstpointer a, gconstpointer b)
{
    const struct tw_stream_row *x = ((const struct tw_ranked *)a)->stream;
    const struct tw_stream_row *y = ((const struct tw_ranked *)b)->stream;
    tcpwhy_ns x_ns = lost(x) ? x->verdict.cost_ns : -1, y_ns = lost(y) ? y->verdict.cost_ns : -1;

    if (x_ns != y_ns)
        return x_ns > y_ns ? -1 : 1;
    if (x->duration_ns != y->duration_ns)
        return x->duration_ns > y->duration_ns ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

/* A finding's link shall lead to graphs, however little its worst stream lost. */
static void pull_up(GArray *streams, uint32_t stream, guint to)
{
    for (guint i = TW_HTML_MAX_DETAILED; i < streams->len; i++) {
        struct tw_ranked ranked = g_array_index(streams, struct tw_ranked, i);

        if (ranked.stream->stream != stream)
            continue;
        g_array_remove_index(streams, i);
        g_array_insert_val(streams, to, ranked);
        return;
    }
}

GArray *tw_html_worst_first(const tcpwhy_report *report)
{
    size_t n, n_findings;
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    const struct tw_finding_row *f = tw_report_findings(report, &n_findings);
    GArray *streams = g_array_sized_new(FALSE, FALSE, sizeof(struct tw_ranked), (guint)n);

    for (size_t i = 0; i < n; i++) {
        struct tw_ranked ranked = { &s[i] };

        g_array_append_val(streams, ranked);
    }
    g_array_sort(streams, worse_first);
    for (size_t i = 0; i < n_findings && i < tw_form_html.max_full; i++)
        pull_up(streams, f[i].stream, TW_HTML_MAX_DETAILED - 1 - (guint)i);
    return streams;
}

/* A number for readers, and data-v for sorting. */
static void number_cell(struct tw_writer *out, double value, const char *text, const char *classes)
{
    char number[TW_NUMBER_TEXT];

    tw_writer_printf(out, "<td class=\"%s\" data-v=\"%s\">", classes,
                     tw_number_real(value, number));
    tw_html_text(out, text);
    tw_writer_text(out, "</td>");
}

static void time_cell(struct tw_writer *out, tcpwhy_ns ns, const char *classes)
{
    char text[TW_NUMBER_TEXT];

    number_cell(out, ns == TCPWHY_NS_UNKNOWN ? -1 : (double)ns, tw_number_duration(ns, text),
                classes);
}

/* Further columns, hidden in a narrow window. */
static void rest(struct tw_writer *out, const struct tw_stream_row *s)
{
    uint64_t bytes = s->bytes_to_client + s->bytes_to_server;
    char text[TW_NUMBER_TEXT];

    time_cell(out, s->latency.count > 0 ? s->latency.p50_ns : TCPWHY_NS_UNKNOWN, "n more");
    number_cell(out, (double)s->latency.count, tw_number_count(s->latency.count, text), "n more");
    number_cell(out, (double)bytes, tw_number_bytes(bytes, text), "n more");
    number_cell(out, (double)s->retransmissions, tw_number_count(s->retransmissions, text),
                "n more");
    number_cell(out, (double)s->start_ns, tw_number_seconds(s->start_ns, 3, text), "n more");
}

static void verdict(struct tw_writer *out, const struct tcpwhy_verdict *v, bool is_lost)
{
    char text[TW_NUMBER_TEXT], classes[TW_HTML_CLASS];

    number_cell(out, is_lost ? (double)v->cost_ns : 0,
                is_lost ? tw_number_duration(v->cost_ns, text) : "\u2013", "n");
    tw_writer_text(out, "<td class=\"to\">");
    if (v->cause == TCPWHY_CAUSE_NONE) {
        tw_writer_text(out, "none</td>");
        return;
    }
    tw_html_element(out, "i", tw_html_cause_class(v->cause, classes), "");
    tw_html_text(out, tcpwhy_cause_info(v->cause)->name);
    tw_writer_text(out, "</td>");
}

static void row(struct tw_writer *out, const struct tw_stream_row *s,
                const enum tcpwhy_cause *order, size_t n_order, const char *prefix)
{
    struct tw_cause_sums sums = { 0 };
    char text[TCPWHY_ENDPOINT_TEXT];

    tw_cause_sums_add(&sums, s->ledger, s->n_ledger);
    tw_writer_printf(out, "<tr id=\"%s-s%u\" data-stream=\"%u\" data-cause=\"%s", prefix, s->stream,
                     s->stream, tcpwhy_cause_info(s->verdict.cause)->name);
    tw_writer_printf(out, "\"><th scope=\"row\" class=\"n\">%u</th>", s->stream);
    tw_html_element(out, "td", "m", tcpwhy_endpoint_format(&s->client, text));
    tw_html_element(out, "td", "m most", tcpwhy_endpoint_format(&s->server, text));
    time_cell(out, s->duration_ns, "n most");
    tw_writer_text(out, "<td class=\"in\">");
    tw_html_bar(out, &sums, order, n_order);
    tw_writer_text(out, "</td>");
    verdict(out, &s->verdict, lost(s));
    rest(out, s);
    tw_writer_text(out, "</tr>\n");
}

static void head(struct tw_writer *out)
{
    static const struct {
        const char *title, *classes;
    } columns[] = { { "Stream", "n" },        { "Client", "" },          { "Server", "most" },
                    { "Duration", "n most" }, { "Time by cause", "in" }, { "Lost", "n" },
                    { "Main cause", "" },     { "Median", "n more" },    { "Requests", "n more" },
                    { "Data", "n more" },     { "Retrans", "n more" },   { "Start s", "n more" } };

    tw_writer_text(out, "<thead><tr>");
    for (size_t i = 0; i < G_N_ELEMENTS(columns); i++)
        tw_writer_printf(out, "<th scope=\"col\" class=\"%s\">%s</th>", columns[i].classes,
                         columns[i].title);
    tw_writer_text(out, "</tr></thead>\n");
}

void tw_html_streams(struct tw_writer *out, const GArray *streams, const struct tw_cause_sums *sums,
                     const char *prefix)
{
    enum tcpwhy_cause order[TW_N_CAUSES];
    size_t n_order = tw_cause_sums_order(sums, order);
    guint shown = MIN(streams->len, MAX_ROWS);
    char number[TW_NUMBER_TEXT];

    tw_writer_text(out,
                   "<section class=\"connections\">\n<h2>Connections</h2>\n<div class=\"wide\">"
                   "<table class=\"streams\">\n");
    head(out);
    tw_writer_text(out, "<tbody>\n");
    for (guint i = 0; i < shown && !out->stopped; i++)
        row(out, g_array_index(streams, struct tw_ranked, i).stream, order, n_order, prefix);
    tw_writer_text(out, "</tbody></table></div>\n");
    if (shown < streams->len)
        tw_writer_printf(
            out, "<p class=\"q\">Only those that lost most; tcpwhy streams lists all %s.</p>\n",
            tw_number_count(streams->len, number));
    tw_writer_text(out, "</section>\n");
}
