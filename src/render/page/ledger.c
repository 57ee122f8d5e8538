/* SPDX-License-Identifier: MIT */
/*
 * Sums by cause; bars; the table that is their legend.
 */
#include "base/counts.h"
#include "render/page/ledger.h"

#include <glib.h>

#include "base/ns.h"
#include "render/writers/html.h"
#include "base/number.h"
#include "render/view/text_parts.h"

/* Resolution of a bar: smaller parts are invisible. */
#define BAR_PARTS 1000

/* Causes that its title names, and rows of the table. */
#define MAX_NAMED 4
#define MAX_ROWS  8

void tw_cause_sums_add(struct tw_cause_sums *sums, const struct tcpwhy_ledger_entry *entry,
                       size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct tcpwhy_ledger_entry *e = &entry[i];

        if ((unsigned)e->cause >= TW_N_CAUSES || e->ns < 0)
            continue;
        sums->ns[e->cause] = tw_ns_add(sums->ns[e->cause], e->ns);
        sums->count[e->cause] += e->count;
        sums->party[e->cause] |= UINT32_C(1) << e->party;
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
    char number[TW_NUMBER_TEXT];

    for (size_t i = 0; i < n && i < MAX_NAMED; i++) {
        tw_writer_text(out, i > 0 ? ", " : "");
        tw_html_text(out, tw_number_percent(share_of(sums, order[i]), number));
        tw_writer_printf(out, " %s", tcpwhy_cause_info(order[i])->name);
    }
    if (n > MAX_NAMED)
        tw_writer_text(out, " \u2026");
}

void tw_html_bar(struct tw_writer *out, const struct tw_cause_sums *sums,
                 const enum tcpwhy_cause *order, size_t n_order)
{
    char classes[TW_HTML_CLASS];

    tw_writer_text(out, "<div class=\"bar\" role=\"img\" title=\"");
    bar_title(out, sums);
    tw_writer_text(out, "\">");
    for (size_t i = 0; i < n_order; i++) {
        int parts = (int)(share_of(sums, order[i]) * BAR_PARTS + 0.5);

        if (parts > 0)
            tw_writer_printf(out, "<i class=\"%s\" style=\"flex:%d\"></i>",
                             tw_html_cause_class(order[i], classes), parts);
    }
    tw_writer_text(out, "</div>");
}

static void party_cell(struct tw_writer *out, uint32_t parties)
{
    bool any = false;

    tw_html_open(out, "td", NULL);
    for (unsigned p = TCPWHY_PARTY_CLIENT; p <= TCPWHY_PARTY_PATH; p++) {
        if (!(parties & UINT32_C(1) << p))
            continue;
        tw_writer_printf(out, "%s%s", any ? ", " : "", tcpwhy_party_name((enum tcpwhy_party)p));
        any = true;
    }
    tw_writer_text(out, any ? "</td>" : "\u2013</td>");
}

/* Time, share, count. */
static void amounts(struct tw_writer *out, const struct tw_cause_sums *sums, tcpwhy_ns ns,
                    uint64_t count)
{
    double share = sums->total_ns > 0 ? (double)ns / (double)sums->total_ns : 0;
    char number[TW_NUMBER_TEXT];

    tw_html_element(out, "td", "n", tw_number_column(ns, sums->total_ns, number));
    tw_html_element(out, "td", "n", tw_number_percent(share, number));
    tw_html_element(out, "td", "n", tw_number_count(count, number));
    tw_writer_text(out, "</tr>\n");
}

static void row(struct tw_writer *out, const struct tw_cause_sums *sums, enum tcpwhy_cause cause)
{
    g_autoptr(GString) title = g_string_new(NULL);
    char classes[TW_HTML_CLASS];

    tw_text_title(title, cause);
    tw_writer_text(out, "<tr><th scope=\"row\">");
    tw_html_element(out, "i", tw_html_cause_class(cause, classes), "");
    tw_html_text(out, title->str);
    tw_writer_text(out, "</th>");
    party_cell(out, sums->party[cause]);
    amounts(out, sums, sums->ns[cause], sums->count[cause]);
}

static void rest(struct tw_writer *out, const struct tw_cause_sums *sums,
                 const enum tcpwhy_cause *order, size_t n)
{
    uint64_t count = 0;
    tcpwhy_ns ns = 0;

    for (size_t i = 0; i < n; i++) {
        ns = tw_ns_add(ns, sums->ns[order[i]]);
        count += sums->count[order[i]];
    }
    tw_writer_text(out, "<tr class=\"q\"><th scope=\"row\"><i></i>Other</th><td></td>");
    amounts(out, sums, ns, count);
}

void tw_html_ledger(struct tw_writer *out, const struct tw_cause_sums *sums)
{
    enum tcpwhy_cause order[TW_N_CAUSES];
    size_t n = tw_cause_sums_order(sums, order);
    size_t shown = n > MAX_ROWS ? MAX_ROWS - 1 : n;

    tw_writer_printf(out,
                     "<div class=\"wide\"><table class=\"ledger\"><thead><tr>"
                     "<th scope=\"col\">Cause</th><th scope=\"col\">Owner</th>"
                     "<th scope=\"col\" class=\"n\">%s</th><th scope=\"col\" class=\"n\">Share</th>"
                     "<th scope=\"col\" class=\"n\">Count</th></tr></thead>\n<tbody>\n",
                     tw_number_column_unit(sums->total_ns));
    for (size_t i = 0; i < shown; i++)
        row(out, sums, order[i]);
    if (shown < n)
        rest(out, sums, order + shown, n - shown);
    tw_writer_text(out, "</tbody></table></div>\n");
}
