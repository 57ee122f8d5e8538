/* SPDX-License-Identifier: MIT */
/*
 * Sums by cause, and their bars; the connections as plain rows that read without a script, whose
 * data-v is what a script sorts by where the text would not do.
 */
#include <string.h>

#include "base/array.h"
#include "base/counts.h"
#include "base/ns.h"
#include "render/page/page.h"
#include "render/view/view.h"
#include "render/writers/html.h"

/* ---- bars ------------------------------------------------------------------------------------ */

/* Resolution of a bar: smaller parts are invisible. */
#define BAR_PARTS 1000

/* Causes that its title names. */
#define MAX_NAMED 4

void tw_cause_sums_add(struct tw_cause_sums *sums, const struct tcpwhy_ledger_entry *entry,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_ledger_entry *e = &entry[i];

        if ((unsigned)e->cause >= TW_N_CAUSES || e->ns < 0)
            continue;
        sums->ns[e->cause] = tw_ns_add(sums->ns[e->cause], e->ns);
        sums->total_ns = tw_ns_add(sums->total_ns, e->ns);
    }
}

size_t tw_cause_sums_order(const struct tw_cause_sums *sums, enum tcpwhy_cause *order)
{
    size_t n = 0;

    for (unsigned c = 0; c < TW_N_CAUSES; c++) {
        size_t at = n;

        if (sums->ns[c] <= 0)
            continue;
        for (; at > 0 && sums->ns[order[at - 1]] < sums->ns[c]; at--)
            order[at] = order[at - 1];
        order[at] = (enum tcpwhy_cause)c;
        n++;
    }
    return n;
}

static double share_of(const struct tw_cause_sums *sums, enum tcpwhy_cause cause)
{
    return sums->total_ns > 0 ? (double)sums->ns[cause] / (double)sums->total_ns : 0;
}

/* "98% nagle_delayed_ack, 1.1% wire, ..." */
static void bar_title(struct tw_writer *out, const struct tw_cause_sums *sums)
{
    enum tcpwhy_cause order[TW_N_CAUSES];
    size_t n = tw_cause_sums_order(sums, order);

    for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
        tw_writer_text(out, i > 0 ? ", " : "");
        tw_writer_escaped(out, tw_percent(share_of(sums, order[i])).text);
        tw_writer_printf(out, " %s", tcpwhy_cause_info(order[i])->name);
    }
    if (n > MAX_NAMED)
        tw_writer_text(out, " \u2026");
}

void tw_html_bar(struct tw_writer *out, const struct tw_cause_sums *sums,
                 const enum tcpwhy_cause *order, size_t n_order)
{
    tw_writer_text(out, "<div class=\"bar\" role=\"img\" title=\"");
    bar_title(out, sums);
    tw_writer_text(out, "\">");
    for (size_t i = 0; i < n_order; i++) {
        int parts = (int)(share_of(sums, order[i]) * BAR_PARTS + 0.5);

        if (parts > 0)
            tw_writer_printf(out, "<i class=\"%s\" style=\"flex:%d\"></i>",
                             tw_cause_class("", order[i]).text, parts);
    }
    tw_writer_text(out, "</div>");
}

/* ---- rows ------------------------------------------------------------------------------------ */

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
static void pull_up(tw_array *streams, uint32_t stream, guint to)
{
    for (guint i = TW_HTML_MAX_DETAILED; i < streams->len; i++) {
        struct tw_ranked ranked = tw_array_index(streams, struct tw_ranked, i);

        if (ranked.stream->stream != stream)
            continue;
        tw_array_remove_index(streams, i);
        tw_array_insert_val(streams, to, ranked);
        return;
    }
}

tw_array *tw_html_worst_first(const tcpwhy_report *report)
{
    size_t n, n_findings;
    const struct tw_stream_row *s = tw_report_streams(report, &n);
    const struct tw_finding_row *f = tw_report_findings(report, &n_findings);
    tw_array *streams = tw_array_sized_new(FALSE, FALSE, sizeof(struct tw_ranked), (guint)n);

    for (size_t i = 0; i < n; i++) {
        struct tw_ranked ranked = { &s[i] };

        tw_array_append_val(streams, ranked);
    }
    tw_array_sort(streams, worse_first);
    for (size_t i = 0; i < n_findings && i < tw_form_html.max_full; i++)
        pull_up(streams, f[i].stream, TW_HTML_MAX_DETAILED - 1 - (guint)i);
    return streams;
}

#define MAX_COLUMNS 16

/* The fields that the page shows. */
struct columns {
    const struct tw_field *field[MAX_COLUMNS];
    size_t n;
    size_t bar_behind; /* the time by cause as a bar stands behind this many: the duration */
};

static bool any_named(const tw_array *streams)
{
    for (guint i = 0; i < streams->len; i++)
        if (tw_array_index(streams, struct tw_ranked, i).stream->server_name)
            return true;
    return false;
}

/* By their place; a column of texts that would be empty is left out. */
static struct columns choose(bool named)
{
    const struct tw_field *at[MAX_COLUMNS] = { NULL };
    struct columns c = { .bar_behind = named ? 5 : 4 };

    for (const struct tw_field *f = tw_stream_fields; !tw_fields_end(f); f++)
        if (f->on_page > 0 && (named || !f->empty_goes))
            at[f->on_page - 1] = f;
    for (size_t i = 0; i < MAX_COLUMNS; i++)
        if (at[i])
            c.field[c.n++] = at[i];
    return c;
}

/* A text for readers, and, of a number, data-v for sorting: less than any where there is none. */
static void cell(struct tw_writer *out, const struct tw_field *f, const struct tw_stream_row *s)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    enum tw_tone tone = TW_TONE_PLAIN;
    enum tcpwhy_cause cause;

    tw_field_text(f, s, text, &tone);
    tw_writer_printf(out, f->on_page == 1 ? "<th scope=\"row\" class=\"%s\"" : "<td class=\"%s\"",
                     f->classes);
    if (tw_field_is_number(f))
        tw_writer_printf(out, " data-v=\"%s\"",
                         tw_real(strcmp(text->str, "-") == 0 ? -1 : tw_field_value(f, s)).text);
    tw_writer_text(out, ">");
    if (tcpwhy_cause_by_name(text->str, &cause))
        tw_html_element(out, "i", tw_cause_class("", cause).text, "");
    tw_writer_escaped(out, text->str);
    tw_writer_text(out, f->on_page == 1 ? "</th>" : "</td>");
}

static void row(struct tw_writer *out, const struct columns *columns, const struct tw_stream_row *s,
                const enum tcpwhy_cause *order, size_t n_order, const char *prefix)
{
    struct tw_cause_sums sums = { 0 };

    tw_cause_sums_add(&sums, s->ledger, s->n_ledger);
    tw_writer_printf(out, "<tr id=\"%s-s%u\" data-stream=\"%u\" data-cause=\"%s\">", prefix,
                     s->stream, s->stream, tcpwhy_cause_info(s->verdict.cause)->name);
    for (size_t i = 0; i < columns->n; i++) {
        cell(out, columns->field[i], s);
        if (i + 1 != columns->bar_behind)
            continue;
        tw_writer_text(out, "<td class=\"in\">");
        tw_html_bar(out, &sums, order, n_order);
        tw_writer_text(out, "</td>");
    }
    tw_writer_text(out, "</tr>\n");
}

static void head(struct tw_writer *out, const struct columns *columns)
{
    tw_writer_text(out, "<thead><tr>");
    for (size_t i = 0; i < columns->n; i++) {
        const struct tw_field *f = columns->field[i];

        tw_writer_printf(out, "<th scope=\"col\" class=\"%s\">%c%s</th>", f->classes,
                         g_ascii_toupper(f->title[0]), f->title + 1);
        if (i + 1 == columns->bar_behind)
            tw_writer_text(out, "<th scope=\"col\" class=\"in\">Time by cause</th>");
    }
    tw_writer_text(out, "</tr></thead>\n");
}

void tw_html_streams(struct tw_writer *out, const tw_array *streams,
                     const struct tw_cause_sums *sums, const char *prefix)
{
    enum tcpwhy_cause order[TW_N_CAUSES];
    size_t n_order = tw_cause_sums_order(sums, order);
    const struct columns columns = choose(any_named(streams));
    guint shown = MIN(streams->len, MAX_ROWS);

    tw_writer_text(out,
                   "<section class=\"connections\">\n<h2>Connections</h2>\n<div class=\"wide\">"
                   "<table class=\"streams\">\n");
    head(out, &columns);
    tw_writer_text(out, "<tbody>\n");
    for (guint i = 0; i < shown && !out->stopped; i++)
        row(out, &columns, tw_array_index(streams, struct tw_ranked, i).stream, order, n_order,
            prefix);
    tw_writer_text(out, "</tbody></table></div>\n");
    if (shown < streams->len)
        tw_writer_printf(
            out, "<p class=\"q\">Only those that lost most; tcpwhy streams lists all %s.</p>\n",
            tw_count(streams->len).text);
    tw_writer_text(out, "</section>\n");
}
