/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a page of text: the verdict, its doubts, and for what changed most the measures
 * and the ledgers side by side.
 */
#include "render/view/compare_tables.h"
#include "render/view/compare_words.h"
#include "render/view/text_parts.h"

/* Listeners shown side by side; the JSON has all. */
#define MAX_DETAILED 3

/* Indent of what stands behind "before" and "after". */
#define LABEL_WIDTH 8

static void capture(struct tw_layout *page, const char *label, const tcpwhy_report *report)
{
    const struct tw_capture_row *c = tw_report_capture(report);
    g_autoptr(GString) text = g_string_new(NULL);

    tw_layout_entry(page, LABEL_WIDTH, label, TW_TONE_STRONG, c->file[0] ? c->file : "(packets)");
    tw_text_scope(text, report);
    tw_layout_entry(page, 2, "", TW_TONE_QUIET, text->str);
}

static enum tw_tone tone_of(enum tcpwhy_change change)
{
    return change == TCPWHY_CHANGE_BETTER  ? TW_TONE_GOOD
           : change == TCPWHY_CHANGE_WORSE ? TW_TONE_BAD
                                           : TW_TONE_STRONG;
}

static void verdict(struct tw_layout *page, const tcpwhy_comparison *comparison)
{
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);
    size_t n;
    const struct tcpwhy_unfair *u = tw_comparison_unfair(comparison, &n);
    g_autoptr(GString) text = g_string_new(NULL);

    tw_compare_sentence(text, comparison);
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, tone_of(v->change), text->str);
    for (size_t i = 0; i < n; i++) {
        g_string_truncate(text, 0);
        tw_compare_doubt(text, comparison, &u[i]);
        tw_layout_entry(page, 2, "!", TW_TONE_WARN, text->str);
    }
}

static void side_by_side(struct tw_layout *page, const struct tw_listener_change *l)
{
    g_autoptr(GString) title = g_string_new(NULL);

    tw_compare_where(title, l);
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, title->len ? title->str : "Whole captures");
    tw_compare_measures(page, l, tw_table_draw);
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Where the time went");
    tw_compare_causes_table(page, l, tw_table_draw);
}

static void listeners(struct tw_layout *page, const struct tw_listener_change *l, size_t n)
{
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Listeners, largest change first");
    tw_compare_listeners(page, l, n, tw_table_draw);
    if (n > TW_COMPARE_LISTENERS) {
        tw_layout_putf(page, TW_TONE_QUIET, "  and %zu more", n - TW_COMPARE_LISTENERS);
        tw_layout_end_line(page);
    }
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const tcpwhy_comparison *comparison = request->options.comparison;
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);
    size_t n, detailed = 0;
    const struct tw_listener_change *l = tw_comparison_listeners(comparison, &n);

    capture(page, "before", tcpwhy_comparison_report(comparison, TCPWHY_BEFORE));
    capture(page, "after", tcpwhy_comparison_report(comparison, TCPWHY_AFTER));
    verdict(page, comparison);
    if (v->same_capture || v->measure == TCPWHY_MEASURE_NONE)
        return;
    if (n > 1)
        listeners(page, l, n);
    if (!v->listener)
        side_by_side(page, tw_comparison_whole(comparison));
    for (size_t i = 0; i < n && v->listener && detailed < MAX_DETAILED; i++) {
        bool changed = l[i].change == TCPWHY_CHANGE_BETTER || l[i].change == TCPWHY_CHANGE_WORSE;

        if (!changed && detailed > 0)
            break;
        side_by_side(page, &l[i]);
        detailed++;
    }
}

static bool ready(const struct tw_request *request)
{
    return request->options.comparison != NULL;
}

const struct tw_renderer tw_renderer_comparison = {
    .document = TCPWHY_DOC_COMPARISON,
    .command = "diff",
    .without_report = true,
    .ready = ready,
    .text = text,
    .json = tw_compare_json,
    .write = { [TCPWHY_FORMAT_HTML] = tw_compare_html },
};
