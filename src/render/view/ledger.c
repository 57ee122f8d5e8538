/* SPDX-License-Identifier: MIT */
/*
 * Where the time of a whole capture went: of all connections, then of each listener's.
 */
#include "base/ns.h"
#include "base/number.h"
#include "base/text.h"
#include "render/renderer.h"
#include "render/view/operations.h"
#include "render/view/view.h"

/* The JSON has all. */
#define MAX_LISTENERS     10
#define MAX_LISTENER_ROWS 8

/* "By owner: server 28.707 s, path 0.441 s" */
static void parties(struct tw_layout *page, const struct tcpwhy_ledger_entry *entry, size_t n)
{
    static const enum tcpwhy_party order[] = { TCPWHY_PARTY_CLIENT, TCPWHY_PARTY_SERVER,
                                               TCPWHY_PARTY_PATH, TCPWHY_PARTY_NONE };
    g_autoptr(tw_string) text = tw_string_new("");
    tcpwhy_ns ns[TCPWHY_PARTY_PATH + 1] = { 0 }, total_ns = 0;
    char number[TW_NUMBER_TEXT];

    for (size_t i = 0; i < n; i++) {
        ns[entry[i].party] = tw_ns_add(ns[entry[i].party], entry[i].ns);
        total_ns = tw_ns_add(total_ns, entry[i].ns);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(order); i++)
        if (ns[order[i]] > 0)
            tw_string_append_printf(
                text, "%s%s %s %s", text->len ? ", " : "By owner: ", tcpwhy_party_name(order[i]),
                tw_number_column(ns[order[i]], total_ns, number), tw_number_column_unit(total_ns));
    if (text->len > 0)
        tw_layout_paragraph(page, 2, TW_TONE_PLAIN, text->str);
}

static void listener(struct tw_layout *page, const struct tw_listener_row *l)
{
    g_autoptr(tw_string) title = tw_string_new(NULL);

    tw_text_count(title, l->connections, "connection", "connections");
    tw_text_holder(tw_string_append(title, " to "), &l->endpoint, l->server_name,
                   TCPWHY_PARTY_NONE);
    tw_layout_end_line(page);
    tw_layout_paragraph(page, 0, TW_TONE_STRONG, title->str);
    tw_ledger_table(&tw_form_text, page, l->ledger, l->n_ledger, MAX_LISTENER_ROWS);
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n, n_listeners;
    const struct tcpwhy_ledger_entry *entry = tw_report_ledger(request->report, &n);
    const struct tw_listener_row *l = tw_report_listeners(request->report, &n_listeners);

    tw_text_capture(page, request->report);
    if (n_listeners == 0) {
        tw_text_say_no_stream(page, request->report);
        return;
    }
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Where the time went, sum of all connections");
    parties(page, entry, n);
    tw_ledger_table(&tw_form_text, page, entry, n, 0);
    for (size_t i = 0; i < n_listeners && i < MAX_LISTENERS && n_listeners > 1; i++)
        if (l[i].n_ledger > 0)
            listener(page, &l[i]);
    if (n_listeners > MAX_LISTENERS) {
        tw_layout_end_line(page);
        tw_form_text.more(page, 0, n_listeners - MAX_LISTENERS, "more listeners");
    }
    if (tw_operations_wanted(&request->options))
        tw_operation_ledger_table(request, page);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    size_t n;
    const struct tcpwhy_ledger_entry *entry = tw_report_ledger(request->report, &n);

    tw_json_ledger(to, entry, n);
    tw_json_listeners(to, request->report, false);
    if (tw_operations_wanted(&request->options))
        tw_operation_ledger_json(request, to);
}

const struct tw_renderer tw_renderer_ledger = {
    .document = TCPWHY_DOC_LEDGER,
    .command = "ledger",
    .text = text,
    .json = json,
    .write = { [TCPWHY_FORMAT_FOLDED] = tw_ledger_folded },
};
