/* SPDX-License-Identifier: MIT */
/*
 * A comparison, laid out once for text and page: the captures, the verdict with its doubts, and for
 * what changed most the measures and the ledgers side by side.
 */
#include "render/view/compare.h"
#include "render/view/view.h"

/* Indent of what stands behind "before" and "after". */
#define LABEL_WIDTH 8

/* Listeners shown side by side. */
#define MAX_DETAILED 3

static void captures(const struct tw_compare_form *form, struct tw_layout *page,
                     const tcpwhy_comparison *comparison)
{
    static const char *const names[] = { "before", "after" };

    for (int when = 0; when < 2; when++) {
        const tcpwhy_report *report = tcpwhy_comparison_report(comparison, (enum tcpwhy_when)when);
        g_autoptr(tw_string) scope = tw_string_new(NULL);

        tw_text_scope(scope, report);
        form->capture(page, names[when], tw_report_capture(report)->file, scope->str);
    }
}

static enum tw_tone tone_of(enum tcpwhy_change change)
{
    return change == TCPWHY_CHANGE_BETTER  ? TW_TONE_GOOD
           : change == TCPWHY_CHANGE_WORSE ? TW_TONE_BAD
                                           : TW_TONE_STRONG;
}

static void verdict(const struct tw_compare_form *form, struct tw_layout *page,
                    const tcpwhy_comparison *comparison)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);
    size_t n;
    const struct tcpwhy_unfair *u = tw_comparison_unfair(comparison, &n);

    tw_compare_sentence(text, comparison);
    form->form->sentence(page, tone_of(tw_comparison_verdict(comparison)->change), text->str);
    for (size_t i = 0; i < n; i++) {
        tw_string_truncate(text, 0);
        tw_compare_doubt(text, comparison, &u[i]);
        form->form->note(page, TW_TONE_WARN, text->str);
    }
    form->form->end(page);
}

static void listeners(const struct tw_compare_form *form, struct tw_layout *page,
                      const struct tw_listener_change *l, size_t n)
{
    form->form->heading(page, "compared", "Listeners, largest change first");
    tw_compare_listeners(page, l, n, form->form->table);
    if (n > TW_COMPARE_LISTENERS)
        form->form->more(page, 2, n - TW_COMPARE_LISTENERS, "more");
    form->form->end(page);
}

static void side_by_side(const struct tw_compare_form *form, struct tw_layout *page,
                         const struct tw_listener_change *l)
{
    g_autoptr(tw_string) title = tw_string_new(NULL);

    tw_compare_where(title, l);
    form->form->heading(page, "compared", title->len ? title->str : "Whole captures");
    tw_compare_measures(page, l, form->form->table);
    if (form->bars)
        form->bars(page, l);
    form->form->heading(page, NULL, "Where the time went");
    tw_compare_causes_table(page, l, form->form->table);
    form->form->end(page);
}

void tw_compare_lay_out(const struct tw_compare_form *form, struct tw_layout *page,
                        const tcpwhy_comparison *comparison)
{
    const struct tw_comparison_verdict *v = tw_comparison_verdict(comparison);
    size_t n;
    const struct tw_listener_change *l = tw_comparison_listeners(comparison, &n);

    captures(form, page, comparison);
    verdict(form, page, comparison);
    if (v->same_capture || v->measure == TCPWHY_MEASURE_NONE)
        return;
    if (n > 1)
        listeners(form, page, l, n);
    if (!v->listener)
        side_by_side(form, page, tw_comparison_whole(comparison));
    for (size_t i = 0; i < form->n_detailed(comparison, l, n); i++)
        side_by_side(form, page, &l[i]);
}

/* ---- as text --------------------------------------------------------------------------------- */

static void put_capture(struct tw_layout *page, const char *when, const char *file,
                        const char *scope)
{
    tw_layout_entry(page, LABEL_WIDTH, when, TW_TONE_STRONG, file[0] ? file : "(packets)");
    tw_layout_entry(page, 2, "", TW_TONE_QUIET, scope);
}

/* The rows that got better or worse, and at least the first; the JSON has all. */
static size_t n_detailed(const tcpwhy_comparison *comparison, const struct tw_listener_change *l,
                         size_t n)
{
    size_t detailed = 1;

    if (!tw_comparison_verdict(comparison)->listener)
        return 0;
    while (detailed < MIN(n, MAX_DETAILED) && (l[detailed].change == TCPWHY_CHANGE_BETTER ||
                                               l[detailed].change == TCPWHY_CHANGE_WORSE))
        detailed++;
    return MIN(n, detailed);
}

static const struct tw_compare_form as_text = {
    .form = &tw_form_text,
    .capture = put_capture,
    .n_detailed = n_detailed,
};

static void text(const struct tw_request *request, struct tw_layout *page)
{
    tw_compare_lay_out(&as_text, page, request->options.comparison);
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
