/* SPDX-License-Identifier: MIT */
/*
 * Lookups of names, a row each, and what connections waited for before their SYN.
 */
#include "base/array.h"
#include "names/dns.h"
#include "render/view/view.h"
#include "report/facts/name_rows.h"

#define WORD 16

static void type_words(tw_string *text, const void *row)
{
    char word[WORD];

    tw_string_append(text, tw_dns_type_name(((const struct tw_lookup_row *)row)->l.type, word));
}

static void result_words(tw_string *text, const void *row)
{
    const struct tw_lookup_row *r = row;
    char word[WORD];

    tw_string_append(text, r->answered ? tw_dns_code_name(r->l.code, word) : "unanswered");
}

static bool has_failed(const void *row)
{
    const struct tw_lookup_row *r = row;

    return !r->answered || (r->l.code != TW_DNS_NO_ERROR && r->l.code != TW_DNS_NXDOMAIN);
}

#define OF(member) TW_AT(struct tw_lookup_row, member)

static const struct tw_field lookup_fields[] = {
    { "start_ms", TW_MS, OF(l.first_ns), .title = "start s", .format = TW_FORMAT_S6, .leaves = 3 },
    { "client", TW_ENDPOINT, OF(l.client), .title = "client", .min = 12, .leaves = 2 },
    { "resolver", TW_ENDPOINT, OF(l.resolver), .title = "resolver", .min = 12, .leaves = 4 },
    { "type", TW_WORDS, .words = type_words, .title = "type" },
    { "name", TW_TEXT, OF(l.name), .title = "name", .min = 20 },
    { "result", TW_WORDS, .words = result_words, .title = "result", .marked = has_failed },
    { "took_ms", TW_MS, OF(took_ns), .title = "took" },
    { "queries", TW_UINT, OF(l.n_queries), .title = "queries", .leaves = 5 },
    { "addresses", TW_UINT, OF(l.n_addresses) },
    { "truncated", TW_BOOL, OF(l.truncated) },
    { "tcp", TW_BOOL, OF(l.tcp) },
    { "query_frame", TW_FRAME, OF(l.first_frame), .title = "frame", .leaves = 6 },
    { "answer_frame", TW_FRAME, OF(l.answer_frame) },
    { "stream", TW_STREAM, OF(l.stream), .title = "for stream", .leaves = 1 },
    TW_FIELDS_END,
};
#undef OF

#define OF(member) TW_AT(struct tcpwhy_before_syn, member)

static const struct tw_field before_syn_fields[] = {
    { "stream", TW_UINT, OF(stream), .title = "stream", .format = TW_FORMAT_PLAIN },
    { "client", TW_ENDPOINT, OF(client), .title = "client", .min = 15, .leaves = 2 },
    { "server", TW_ENDPOINT, OF(server), .title = "server", .min = 15 },
    { "start_ms", TW_MS, OF(start_ns) },
    { "syn_ms", TW_MS, OF(syn_ns), .title = "SYN s", .format = TW_FORMAT_S6, .leaves = 3 },
    { "name", TW_TEXT, OF(name), .title = "name", .min = 10 },
    { "resolver", TW_ENDPOINT, OF(resolver) },
    { "lookup_ms", TW_MS, OF(lookup_ns), .title = "lookup", .zero_is_none = true },
    { "next_hop", TW_ENDPOINT, OF(next_hop), .title = "next hop", .leaves = 1 },
    { "next_hop_ms", TW_MS, OF(next_hop_ns), .title = "ARP or NDP", .zero_is_none = true },
    TW_FIELDS_END,
};
#undef OF

static guint n_rows(const tw_array *rows)
{
    return rows ? rows->len : 0; /* a report that was not read from a capture has none */
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const tcpwhy_report *r = request->report;
    size_t shown = tw_request_rows(request, n_rows(r->lookups));
    size_t waits = tw_request_rows(request, n_rows(r->before_syn));

    tw_text_capture(page, r);
    tw_layout_end_line(page);
    if (n_rows(r->lookups) == 0)
        tw_layout_line(page, TW_TONE_WARN, "No DNS query in this capture.");
    else
        tw_fields_table(page, lookup_fields, r->lookups->data, shown, sizeof(struct tw_lookup_row),
                        0);
    tw_text_say_more(page, n_rows(r->lookups) - shown, "more lookup", "more lookups");
    if (n_rows(r->before_syn) == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Before the SYN");
    tw_fields_table(page, before_syn_fields, r->before_syn->data, waits,
                    sizeof(struct tcpwhy_before_syn), 0);
    tw_text_say_more(page, r->before_syn->len - waits, "more connection", "more connections");
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    const tw_array *rows = request->report->lookups;
    size_t shown = tw_request_rows(request, n_rows(rows));

    for (guint i = 0; i < shown && !to->out->stopped; i++)
        tw_json_record(to, NULL, lookup_fields, &tw_array_index(rows, struct tw_lookup_row, i));
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    const tw_array *rows = request->report->before_syn;
    guint n_lookups = n_rows(request->report->lookups);
    size_t shown = tw_request_rows(request, n_rows(rows));

    tw_json_array(to, "lookups");
    lines(request, to);
    tw_json_end(to);
    tw_json_left_out(to, "left_out", n_lookups - tw_request_rows(request, n_lookups));
    tw_json_array(to, "before_syn");
    for (guint i = 0; i < shown && !to->out->stopped; i++)
        tw_json_record(to, NULL, before_syn_fields,
                       &tw_array_index(rows, struct tcpwhy_before_syn, i));
    tw_json_end(to);
}

const struct tw_renderer tw_renderer_names_document = {
    .document = TCPWHY_DOC_NAMES,
    .command = "names",
    .text = text,
    .json = json,
    .lines = lines,
};
