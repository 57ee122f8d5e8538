/* SPDX-License-Identifier: MIT */
/*
 * Sums by cause, and their bars.
 */
#include "base/counts.h"
#include "base/ns.h"
#include "render/page/page.h"
#include "render/view/view.h"
#include "render/writers/html.h"

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
