/* SPDX-License-Identifier: MIT */
/*
 * Connections, one row each, in tshark's order.
 */
#include "render/view/view.h"

/* ---- cells that more than one value makes ---------------------------------------------------- */

static void client_words(tw_string *text, const void *row)
{
    const struct tw_stream_row *s = row;

    tw_string_append(text, tw_endpoint(&s->client).text);
    if (s->roles_inferred)
        tw_string_append(text, "?");
}

static void lost_words(tw_string *text, const void *row)
{
    const struct tcpwhy_verdict *v = &((const struct tw_stream_row *)row)->verdict;
    bool idle = v->cause == TCPWHY_CAUSE_NONE || v->cause == TCPWHY_CLIENT_IDLE;

    tw_string_append(text, idle ? "-" : tw_duration(v->cost_ns).text);
}

static void cause_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tcpwhy_verdict *v = &((const struct tw_stream_row *)row)->verdict;
    bool healthy = v->cause == TCPWHY_CAUSE_NONE;

    tw_string_append(text, healthy ? "-" : tw_name_cause(v->cause));
    *tone = healthy ? TW_TONE_QUIET : tw_text_cause_tone(v->cause);
}

/* ---- the fields ------------------------------------------------------------------------------ */

static void verdict_and_ledger(struct tw_json *json, const void *stream)
{
    const struct tw_stream_row *s = stream;

    tw_json_verdict(json, &s->verdict);
    tw_json_ledger(json, s->ledger, s->n_ledger);
}

static void latency(struct tw_json *json, const void *stream)
{
    const struct tw_stream_row *s = stream;

    tw_json_latency(json, "exchanges", &s->latency, &s->status);
}

static void facts(struct tw_json *json, const void *row)
{
    tw_json_stream_facts(json, row);
}

#define OF(member) TW_AT(struct tcpwhy_repairs, member)
static const struct tw_field repair_fields[] = {
    { "fast", TW_UINT, OF(fast) },         { "probes", TW_UINT, OF(probes) },
    { "timeouts", TW_UINT, OF(timeouts) }, { "after_timeouts", TW_UINT, OF(after_timeouts) },
    { "spurious", TW_UINT, OF(spurious) }, TW_FIELDS_END,
};
#undef OF
#define OF(member) TW_AT(struct tw_stream_row, member)

static const struct tw_field rtt_fields[] = {
    { "min", TW_US, OF(rtt_min_ns) },
    { "median", TW_US, OF(rtt_median_ns) },
    { "max", TW_US, OF(rtt_max_ns) },
    TW_FIELDS_END,
};

static const struct tw_field end_fields[] = {
    { "stream", TW_UINT, OF(stream) },
    { "client", TW_ENDPOINT, OF(client) },
    { "server", TW_ENDPOINT, OF(server) },
    TW_FIELDS_END,
};

const struct tw_field tw_stream_fields[] = {
    { "stream", TW_UINT, OF(stream), .title = "stream", .format = TW_FORMAT_PLAIN, .column = 1,
      .on_page = 1, .classes = "n" },
    { "client", TW_ENDPOINT, OF(client), .title = "client", .min = 15, .words = client_words,
      .column = 2, .on_page = 2, .classes = "m" },
    { "server", TW_ENDPOINT, OF(server), .title = "server", .min = 15, .column = 3, .on_page = 3,
      .classes = "m most" },
    { "server_name", TW_TEXT, OF(server_name), .title = "name", .min = 10, .leaves = 1, .column = 3,
      .empty_goes = true, .on_page = 4, .classes = "most" },
    { "roles_inferred", TW_BOOL, OF(roles_inferred) },
    { "complete_start", TW_BOOL, OF(complete_start) },
    { "complete_end", TW_BOOL, OF(complete_end) },
    { "vantage", TW_NAME, OF(vantage), .name = tw_name_vantage },
    { "vantage_confidence", TW_NAME, OF(vantage_confidence), .name = tw_name_confidence },
    { "start_ms", TW_MS, OF(start_ns), .title = "start s", .format = TW_FORMAT_S, .leaves = 8,
      .column = 4 },
    { "duration_ms", TW_MS, OF(duration_ns), .title = "duration", .leaves = 2, .column = 5,
      .on_page = 5, .classes = "n most" },
    { "first_frame", TW_FRAME, OF(first_frame) },
    { "last_frame", TW_FRAME, OF(last_frame) },
    { "frames", TW_UINT, OF(frames), .title = "frames", .leaves = 6, .column = 6 },
    { .kind = TW_CALL, .json = verdict_and_ledger },
    { "bytes_to_server", TW_UINT, OF(bytes_to_server), .title = "to server",
      .format = TW_FORMAT_BYTES, .leaves = 4, .column = 7, .on_page = 10, .classes = "n more" },
    { "bytes_to_client", TW_UINT, OF(bytes_to_client), .title = "to client",
      .format = TW_FORMAT_BYTES, .leaves = 3, .column = 8, .on_page = 11, .classes = "n more" },
    { "retransmissions", TW_UINT, OF(retransmissions), .title = "retrans", .leaves = 7, .column = 9,
      .on_page = 12, .classes = "n more" },
    { "repairs", TW_RECORD, OF(repairs), .fields = repair_fields },
    { "rtt_us", TW_RECORD, .fields = rtt_fields },
    { NULL, TW_US, OF(rtt_median_ns), .title = "RTT", .leaves = 9, .column = 10 },
    { .kind = TW_CALL, .json = latency },
    { .kind = TW_CALL, .json = facts },
    { NULL, TW_UINT, OF(latency.count), .title = "requests", .leaves = 10, .column = 11,
      .on_page = 9, .classes = "n more" },
    { NULL, TW_MS, OF(latency.p50_ns), .title = "median", .leaves = 5, .column = 12, .on_page = 8,
      .classes = "n more" },
    { NULL, TW_MS, OF(verdict.cost_ns), .title = "lost", .words = lost_words, .column = 13,
      .on_page = 6, .classes = "n" },
    { NULL, TW_TEXT, .title = "main cause", .min = 17, .cell = cause_cell, .column = 14,
      .on_page = 7, .classes = "to" },
    TW_FIELDS_END,
};
#undef OF

void tw_json_stream_ends(struct tw_json *json, const struct tw_stream_row *stream)
{
    tw_json_members(json, end_fields, stream);
}

static bool put_stream(void *json, const struct tw_stream_row *stream)
{
    tw_json_record(json, NULL, tw_stream_fields, stream);
    return true;
}

static bool put_stream_with_spans(void *json, const struct tw_stream_row *stream)
{
    tw_json_object(json, NULL);
    tw_json_members(json, tw_stream_fields, stream);
    if (stream->spans)
        tw_json_spans(json, stream);
    if (stream->weighings)
        tw_json_why(json, stream);
    tw_json_end(json);
    return true;
}

void tw_json_each_stream(struct tw_json *json, const tcpwhy_report *report, bool with_spans)
{
    tw_report_visit_streams(report, with_spans ? put_stream_with_spans : put_stream, json);
}

void tw_json_streams(struct tw_json *json, const tcpwhy_report *report, bool with_spans)
{
    tw_json_array(json, "streams");
    tw_json_each_stream(json, report, with_spans);
    tw_json_end(json);
    if (tw_report_left_out(report) > 0)
        tw_json_uint(json, "streams_left_out", tw_report_left_out(report));
}

/* ---- the document ---------------------------------------------------------------------------- */

static void text(const struct tw_request *request, struct tw_layout *page)
{
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(request->report, &n);

    tw_text_capture(page, request->report);
    if (n == 0) {
        tw_text_say_no_stream(page, request->report);
        return;
    }
    tw_layout_end_line(page);
    tw_fields_table(page, tw_stream_fields, s, n, sizeof(*s), 0);
    tw_text_say_left_out(page, request->report);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_streams(to, request->report, false);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_json_each_stream(to, request->report, false);
}

/* Beside the fields, what JSON has as objects. */
#define OF(member) TW_AT(struct tw_stream_row, member)
static const struct tw_field csv_fields[] = {
    { "cause", TW_NAME, OF(verdict.cause), .name = tw_name_cause },
    { "party", TW_NAME, OF(verdict.party), .name = tw_name_party },
    { "confidence", TW_NAME, OF(verdict.confidence), .name = tw_name_confidence },
    { "rival", TW_NAME, OF(verdict.rival), .name = tw_name_rival },
    { "cost_ms", TW_MS, OF(verdict.cost_ns) },
    { "failure", TW_NAME, OF(verdict.failure), .name = tw_name_failure },
    { "requests", TW_UINT, OF(latency.count) },
    { "p50_ms", TW_MS, OF(latency.p50_ns) },
    { "p90_ms", TW_MS, OF(latency.p90_ns) },
    { "p99_ms", TW_MS, OF(latency.p99_ns) },
    { "max_ms", TW_MS, OF(latency.max_ns) },
    { "status_2xx", TW_UINT, OF(status.n[2]) },
    { "status_3xx", TW_UINT, OF(status.n[3]) },
    { "status_4xx", TW_UINT, OF(status.n[4]) },
    { "status_5xx", TW_UINT, OF(status.n[5]) },
    TW_FIELDS_END,
};
#undef OF

static bool csv_row(void *user, const struct tw_stream_row *stream)
{
    struct tw_writer *out = user;
    g_autoptr(tw_string) line = tw_string_new(NULL);

    tw_csv_values(line, tw_stream_fields, stream);
    tw_csv_values(line, csv_fields, stream);
    tw_string_append_c(line, '\n');
    tw_writer_bytes(out, line->str, line->len);
    return !out->stopped;
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    g_autoptr(tw_string) line = tw_string_new(NULL);

    tw_csv_names(line, "", tw_stream_fields);
    tw_csv_names(line, "", csv_fields);
    tw_string_append_c(line, '\n');
    tw_writer_bytes(out, line->str, line->len);
    tw_report_visit_streams(request->report, csv_row, out);
}

const struct tw_renderer tw_renderer_streams = {
    .document = TCPWHY_DOC_STREAMS,
    .command = "streams",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv },
};
