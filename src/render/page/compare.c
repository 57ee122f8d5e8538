/* SPDX-License-Identifier: MIT */
/*
 * A comparison as one HTML page: the verdict and its doubts, the time of a request before and after
 * as bars of one scale, and the tables that the terminal shows.
 */
#include <string.h>

#include "base/counts.h"
#include "base/ns.h"
#include "render/page/page.h"
#include "render/view/compare.h"
#include "render/view/view.h"
#include "render/writers/html.h"

/* Listeners with tables of their own. */
#define MAX_DETAILED 20

static const char *const when_titles[] = { "Before", "After" };

/* ---- bars ------------------------------------------------------------------------------------ */

static uint64_t units(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    return l->per == TCPWHY_PER_EXCHANGE     ? l->latency[when].count
           : l->per == TCPWHY_PER_CONNECTION ? l->connections[when]
                                             : l->payload_bytes[when] / 1000000;
}

/* Waiting time by cause; for requests without connection setup. */
static struct tw_cause_sums sums_of(const struct tw_listener_change *l, enum tcpwhy_when when)
{
    struct tw_cause_sums sums = { 0 };

    for (size_t i = 0; i < l->n_causes; i++) {
        const struct tcpwhy_cause_change *c = &l->causes[i];

        if (c->share[when] <= 0 || c->by != l->per)
            continue;
        sums.ns[c->cause] = tw_ns_add(sums.ns[c->cause], c->ns[when]);
        sums.total_ns = tw_ns_add(sums.total_ns, c->ns[when]);
    }
    return sums;
}

/* One bar; its length is its share of the longer of the two. */
static void bar(struct tw_writer *out, const struct tw_listener_change *l, enum tcpwhy_when when,
                double longest_ns, const enum tcpwhy_cause *order, size_t n_order)
{
    struct tw_cause_sums sums = sums_of(l, when);
    double each_ns = (double)sums.total_ns / (double)units(l, when);

    tw_html_element(out, "dt", NULL, when_titles[when]);
    tw_writer_printf(out, "<dd><div style=\"width:%.1f%%\">", 80 * each_ns / longest_ns);
    tw_html_bar(out, &sums, order, n_order);
    tw_writer_text(out, "</div>");
    tw_html_element(out, "span", NULL, tw_duration((tcpwhy_ns)each_ns).text);
    tw_writer_text(out, "</dd>\n");
}

static void bars(struct tw_layout *page, const struct tw_listener_change *l)
{
    struct tw_writer *out = page->out;
    enum tcpwhy_cause order[TW_N_CAUSES];
    struct tw_cause_sums before = sums_of(l, TCPWHY_BEFORE), after = sums_of(l, TCPWHY_AFTER);
    double longest_ns;
    size_t n;

    if (units(l, TCPWHY_BEFORE) == 0 || units(l, TCPWHY_AFTER) == 0)
        return;
    longest_ns = MAX((double)before.total_ns / (double)units(l, TCPWHY_BEFORE),
                     (double)after.total_ns / (double)units(l, TCPWHY_AFTER));
    if (longest_ns <= 0)
        return;
    for (int c = 0; c < TW_N_CAUSES; c++)
        before.ns[c] = tw_ns_add(before.ns[c], after.ns[c]);
    n = tw_cause_sums_order(&before, order);
    tw_writer_printf(out, "<h3>Time per %s by cause</h3>\n<dl class=\"bars\">\n",
                     tw_compare_per(l->per));
    bar(out, l, TCPWHY_BEFORE, longest_ns, order, n);
    bar(out, l, TCPWHY_AFTER, longest_ns, order, n);
    tw_writer_text(out, "</dl>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void capture(struct tw_layout *page, const char *when, const char *file, const char *scope)
{
    tw_html_element(page->out, "p", "q when", when_titles[strcmp(when, "after") == 0]);
    tw_html_element(page->out, "h1", NULL, tw_name_capture(file));
    tw_html_element(page->out, "p", "q", scope);
    tw_writer_text(page->out, "\n");
}

/* Those that are in both captures, which come first. */
static size_t n_detailed(const tcpwhy_comparison *comparison, const struct tw_listener_change *l,
                         size_t n)
{
    size_t both = 0;

    (void)comparison;
    while (both < MIN(n, MAX_DETAILED) && l[both].endpoint[0].version &&
           l[both].endpoint[1].version)
        both++;
    return both;
}

void tw_compare_html(const struct tw_request *request, struct tw_writer *out)
{
    static const struct tw_compare_form form = {
        .form = &tw_form_html,
        .capture = capture,
        .bars = bars,
        .n_detailed = n_detailed,
    };
    struct tw_html_page html = { .title = "tcpwhy: before and after",
                                 .style = { &tw_asset_style } };
    struct tw_layout page;

    tw_layout_init(&page, out, &tw_html_wide);
    tw_html_begin(out, &html);
    tw_compare_lay_out(&form, &page, request->options.comparison);
    tw_html_end(out, &html);
}
