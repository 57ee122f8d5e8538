/* SPDX-License-Identifier: MIT */
/*
 * Listeners with how connections to them were opened, and the ports of client hosts.
 */
#include "render/view/view.h"

/* Listeners and client hosts shown; the JSON has all. */
#define MAX_ROWS 20

/* A client host that took fewer ports than this, and reused none, is not worth a row. */
#define FEW_PORTS 100

/* ---- listeners ------------------------------------------------------------------------------- */

static void resets_words(tw_string *text, const void *row)
{
    const struct tcpwhy_openings *o = &((const struct tw_listener_row *)row)->openings;

    tw_string_append_printf(text, "%s, %s", tw_count(o->resets_by_client).text,
                            tw_count(o->resets_by_server).text);
}

static void share_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tcpwhy_openings *o = &((const struct tw_listener_row *)row)->openings;

    tw_string_append(text, o->unanswered_syns ? tw_percent(o->unanswered_share).text : "-");
    *tone = o->unanswered_syns ? TW_TONE_BAD : TW_TONE_PLAIN;
}

static void peak_words(tw_string *text, const void *row)
{
    const struct tcpwhy_openings *o = &((const struct tw_listener_row *)row)->openings;

    tw_string_append(text, tw_count((uint64_t)(o->peak_opened_per_s + 0.5)).text);
}

static void reason_words(tw_string *text, const void *row)
{
    const struct tcpwhy_openings *o = &((const struct tw_listener_row *)row)->openings;

    if (o->silence == TCPWHY_SILENCE_NONE)
        return;
    tw_string_append(text, tcpwhy_silence_name(o->silence));
    if (o->silence_confidence != TCPWHY_CERTAIN)
        tw_string_append_c(text, '?');
}

static void silence_members(struct tw_json *json, const void *openings)
{
    const struct tcpwhy_openings *o = openings;
    bool named = o->silence != TCPWHY_SILENCE_NONE;

    tw_json_string(json, "silence", named ? tcpwhy_silence_name(o->silence) : NULL);
    tw_json_string(json, "silence_confidence",
                   named ? tcpwhy_confidence_name(o->silence_confidence) : NULL);
    tw_json_string(json, "silence_rival",
                   o->silence_rival == TCPWHY_SILENCE_NONE ? NULL
                                                           : tcpwhy_silence_name(o->silence_rival));
}

#define OF(member) TW_AT(struct tcpwhy_openings, member)

static const struct tw_field opening_fields[] = {
    { "syns", TW_UINT, OF(syns) },
    { "syn_repeats", TW_UINT, OF(syn_repeats) },
    { "unanswered_syns", TW_UINT, OF(unanswered_syns) },
    { "unanswered_share", TW_REAL, OF(unanswered_share) },
    { "waited", TW_UINT, OF(waited) },
    { "opened", TW_UINT, OF(opened) },
    { "half_open", TW_UINT, OF(half_open) },
    { "rejected", TW_UINT, OF(rejected) },
    { "unreachable", TW_UINT, OF(unreachable) },
    { "accept_overflows", TW_UINT, OF(accept_overflows) },
    { "answers_lost", TW_UINT, OF(answers_lost) },
    { "resets_by_client", TW_UINT, OF(resets_by_client) },
    { "resets_by_server", TW_UINT, OF(resets_by_server) },
    { "peak_opened_per_s", TW_REAL, OF(peak_opened_per_s) },
    { "peak_syns_per_s", TW_REAL, OF(peak_syns_per_s) },
    { .kind = TW_CALL, .json = silence_members },
    TW_FIELDS_END,
};

#undef OF
#define OF(member) TW_AT(struct tw_listener_row, member)

static void latency_member(struct tw_json *json, const void *listener)
{
    const struct tw_listener_row *l = listener;

    tw_json_latency(json, "exchanges", &l->latency, &l->status);
    tw_json_ledger(json, l->ledger, l->n_ledger);
}

static const struct tw_field listener_fields[] = {
    { "endpoint", TW_ENDPOINT, OF(endpoint), .title = "listener", .min = 21 },
    { "server_name", TW_TEXT, OF(server_name), .title = "name", .min = 12, .leaves = 2,
      .empty_goes = true },
    { "connections", TW_UINT, OF(connections), .title = "conns" },
    { NULL, TW_UINT, OF(openings.syns), .title = "SYNs", .leaves = 4 },
    { NULL, TW_UINT, OF(openings.syn_repeats), .title = "retrans", .leaves = 3 },
    { "unanswered", TW_UINT, OF(unanswered), .title = "unanswered", .cell = share_cell },
    { "refused", TW_UINT, OF(refused), .title = "refused", .zero_is_dash = true, .leaves = 1 },
    { "resets", TW_UINT, OF(resets), .title = "RST client, server", .leaves = 5,
      .words = resets_words },
    { .kind = TW_CALL, .json = latency_member },
    { "openings", TW_RECORD, OF(openings), .fields = opening_fields },
    { NULL, TW_UINT, .title = "peak/s", .leaves = 2, .words = peak_words },
    { NULL, TW_TEXT, .title = "reason", .words = reason_words },
    TW_FIELDS_END,
};

#undef OF

void tw_text_listeners(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);
    size_t shown = MIN(n, MAX_ROWS);

    if (n == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG, "Listeners, most lost time first");
    tw_fields_table(page, listener_fields, l, shown, sizeof(*l), 0);
    if (shown < n)
        tw_form_text.more(page, 0, n - shown, "more");
}

void tw_json_listeners(struct tw_json *json, const tcpwhy_report *report, bool with_traffic)
{
    size_t n;
    const struct tw_listener_row *l = tw_report_listeners(report, &n);

    tw_json_array(json, "listeners");
    for (size_t i = 0; i < n; i++) {
        tw_json_object(json, NULL);
        tw_json_members(json, listener_fields, &l[i]);
        if (with_traffic)
            tw_json_traffic(json, &l[i].traffic, false, NULL);
        tw_json_end(json);
    }
    tw_json_end(json);
}

/* ---- client ports ---------------------------------------------------------------------------- */

static bool is_exhausted(const void *row)
{
    return ((const struct tcpwhy_ports *)row)->exhausted;
}

#define OF(member) TW_AT(struct tcpwhy_ports, member)

static const struct tw_field port_fields[] = {
    { "client", TW_ENDPOINT, OF(client), .marked = is_exhausted, .title = "client", .min = 15 },
    { "listener", TW_ENDPOINT, OF(listener), .marked = is_exhausted, .title = "listener",
      .min = 21 },
    { "connections", TW_UINT, OF(connections) },
    { "ports", TW_UINT, OF(ports), .marked = is_exhausted, .title = "ports" },
    { "in_use", TW_UINT, OF(in_use), .marked = is_exhausted, .title = "in use" },
    { "range", TW_UINT, OF(range) },
    { "lowest", TW_UINT, OF(lowest) },
    { "highest", TW_UINT, OF(highest) },
    { "reused", TW_UINT, OF(reused), .marked = is_exhausted, .title = "reused" },
    { "reuse_failed", TW_UINT, OF(reuse_failed), .marked = is_exhausted, .title = "failed" },
    { "exhausted", TW_BOOL, OF(exhausted) },
    { "used_up", TW_BOOL, OF(used_up) },
    { "full_ms", TW_MS, OF(full_ns) },
    { "errors", TW_UINT, OF(errors) },
    { "errors_while_full", TW_UINT, OF(errors_while_full) },
    { "time_wait_client", TW_UINT, OF(time_wait_client) },
    { "time_wait_server", TW_UINT, OF(time_wait_server) },
    TW_FIELDS_END,
};

#undef OF

/* They are in order: those with the most ports first. */
static size_t worth_a_row(const struct tcpwhy_ports *p, size_t n)
{
    size_t worth = 0;

    for (size_t i = 0; i < n && i < MAX_ROWS; i++)
        if (p[i].in_use >= FEW_PORTS || p[i].reused > 0)
            worth = i + 1;
    return worth;
}

/* Fewer sockets in TIME-WAIT are of no consequence: they take 400 bytes each, and no CPU. */
#define FEW_TIME_WAITS 100

/* The port that a socket in TIME-WAIT keeps depends on its side; tcp_tw_reuse is for connect()
 * alone. */
static void time_wait(struct tw_layout *page, const struct tcpwhy_ports *p)
{
    bool at_client = p->time_wait_client >= p->time_wait_server;
    tw_string *text = tw_string_new(NULL);

    if (at_client)
        tw_string_printf(
            text,
            "Up to %s sockets in TIME-WAIT at %s, which closed first: each keeps a port "
            "to %s for 60 s. net.ipv4.tcp_tw_reuse=1 there takes it back after 1 s.",
            tw_count(p->time_wait_client).text, tw_endpoint(&p->client).text,
            tw_endpoint(&p->listener).text);
    else
        tw_string_printf(
            text,
            "Up to %s sockets in TIME-WAIT at %s, which closed first: they keep no port "
            "of %s, and tcp_tw_reuse does nothing there.",
            tw_count(p->time_wait_server).text, tw_endpoint(&p->listener).text,
            tw_endpoint(&p->client).text);
    tw_layout_paragraph(page, 0, TW_TONE_PLAIN, text->str);
    tw_string_free(text, TRUE);
}

void tw_text_ports(struct tw_layout *page, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_ports *p = tw_report_ports(report, &n);

    n = worth_a_row(p, n);
    if (n == 0)
        return;
    tw_layout_end_line(page);
    tw_layout_line(page, TW_TONE_STRONG,
                   "Client ports (in use: open, or in TIME-WAIT where the client closed first)");
    tw_fields_table(page, port_fields, p, n, sizeof(*p), 0);
    for (size_t i = 0; i < n; i++)
        if (MAX(p[i].time_wait_client, p[i].time_wait_server) >= FEW_TIME_WAITS)
            time_wait(page, &p[i]);
}

void tw_json_ports(struct tw_json *json, const tcpwhy_report *report)
{
    size_t n;
    const struct tcpwhy_ports *p = tw_report_ports(report, &n);

    tw_json_records(json, "ports", port_fields, p, n, sizeof(*p));
}
