/* SPDX-License-Identifier: MIT */
/*
 * Requests with their responses, and the response times of all of them.
 */
#include "base/array.h"
#include "render/view/operations.h"
#include "render/view/view.h"

struct row {
    uint32_t stream;
    const char *server_name;
    struct tcpwhy_exchange e;
};

/* ---- cells that more than one value makes ---------------------------------------------------- */

static void request_words(tw_string *text, const void *row)
{
    const struct tcpwhy_exchange *e = &((const struct row *)row)->e;

    tw_text_request(text, e);
    if (e->detail[0])
        tw_string_append_printf(text, " [%s]", e->detail);
}

static void status_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tcpwhy_exchange *e = &((const struct row *)row)->e;

    if (e->status)
        tw_string_append_printf(text, "%u", e->status);
    else
        tw_string_append(text, "-");
    if (e->status >= 400)
        *tone = TW_TONE_WARN;
}

static void total_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct tcpwhy_exchange *e = &((const struct row *)row)->e;

    tw_string_append(text, tw_ms(e->total_ns, 3).text);
    if (!e->complete)
        *tone = TW_TONE_WARN;
}

static void response_words(tw_string *text, const void *row)
{
    const struct tcpwhy_exchange *e = &((const struct row *)row)->e;

    tw_string_append_printf(text, "%s%s", tw_count(e->response_bytes).text, e->complete ? "" : "+");
}

static void frames_words(tw_string *text, const void *row)
{
    const struct tcpwhy_exchange *e = &((const struct row *)row)->e;
    uint32_t first = e->request_frame ? e->request_frame : e->response_frame;
    uint32_t last = e->response_last_frame ? e->response_last_frame : e->request_last_frame;

    tw_string_append_printf(text, "%u-%u", first, MAX(first, last));
}

/* ---- the fields ------------------------------------------------------------------------------ */

#define OF(member) TW_AT(struct row, member)
static const struct tw_field fields[] = {
    { "stream", TW_UINT, OF(stream), .title = "stream", .format = TW_FORMAT_PLAIN, .column = 1 },
    { "server_name", TW_TEXT, OF(server_name), .title = "name", .min = 12, .leaves = 2, .column = 3,
      .empty_goes = true },
    { "protocol", TW_TEXT, OF(e.protocol) },
    { "request", TW_TEXT, OF(e.request), .zero_is_none = true, .title = "request", .min = 20,
      .words = request_words, .column = 3 },
    { "status", TW_UINT, OF(e.status), .zero_is_none = true, .title = "status", .cell = status_cell,
      .column = 4 },
    { "complete", TW_BOOL, OF(e.complete) },
    { "start_ms", TW_MS, OF(e.start_ns), .title = "start s", .format = TW_FORMAT_S6, .leaves = 2,
      .column = 2 },
    { "first_byte_ms", TW_MS, OF(e.first_byte_ns), .title = "first byte ms", .format = TW_FORMAT_MS,
      .leaves = 1, .column = 5 },
    { "total_ms", TW_MS, OF(e.total_ns), .title = "total ms", .cell = total_cell, .column = 6 },
    { "request_bytes", TW_UINT, OF(e.request_bytes), .title = "request bytes", .leaves = 4,
      .column = 7 },
    { "response_bytes", TW_UINT, OF(e.response_bytes), .title = "response bytes", .leaves = 3,
      .words = response_words, .column = 8 },
    { "request_frame", TW_FRAME, OF(e.request_frame), .title = "frames", .leaves = 5,
      .words = frames_words, .column = 9 },
    { "request_last_frame", TW_FRAME, OF(e.request_last_frame) },
    { "response_frame", TW_FRAME, OF(e.response_frame) },
    { "response_last_frame", TW_FRAME, OF(e.response_last_frame) },
    { "detail", TW_TEXT, OF(e.detail), .zero_is_none = true },
    { "http2_stream", TW_UINT, OF(e.http2_stream), .zero_is_none = true },
    { "request_messages", TW_UINT, OF(e.request_messages) },
    { "response_messages", TW_UINT, OF(e.response_messages) },
    { "window_wait_ms", TW_MS, OF(e.window_wait_ns) },
    { "of_session", TW_BOOL, OF(e.of_session) },
    TW_FIELDS_END,
};

/* ---- the document ---------------------------------------------------------------------------- */

static tw_array *gather(const struct tw_request *request)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct row));
    g_autoptr(tw_array) requests = tw_operations_requests(request->report, &request->options);

    for (guint i = 0; i < requests->len; i++) {
        const struct tw_asked_for *of = &tw_array_index(requests, struct tw_asked_for, i);
        const struct row row = { of->stream->stream, of->stream->server_name, *of->e };

        tw_array_append_val(rows, row);
    }
    return rows;
}

static tw_array *group(const struct tw_request *request)
{
    g_autoptr(tw_array) requests = tw_operations_requests(request->report, &request->options);

    return tw_operations_of(requests);
}

/* The rows that the options ask for: of requests, or of operations. */
static tw_array *rows_of(const struct tw_request *request)
{
    return request->options.by_operation ? group(request) : gather(request);
}

static const struct tw_field *fields_of(const struct tw_request *request)
{
    return request->options.by_operation ? tw_operation_fields : fields;
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    const bool operations = request->options.by_operation;
    g_autoptr(tw_array) rows = rows_of(request);

    tw_text_capture(page, request->report);
    if (tw_report_capture(request->report)->streams == 0) {
        tw_text_say_no_stream(page, request->report);
        return;
    }
    tw_layout_end_line(page);
    if (rows->len == 0) {
        tw_operations_say_none(page, request);
        return;
    }
    tw_rows_table(request, page, fields_of(request), rows,
                  operations ? "more operation" : "more request",
                  operations ? "more operations" : "more requests");
    if (tw_operations_select_all(&request->options)) {
        tw_layout_end_line(page);
        tw_text_latency(page, request->report);
    }
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = rows_of(request);

    tw_rows_lines(request, to, fields_of(request), rows);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    g_autoptr(tw_array) rows = rows_of(request);

    tw_json_latency(to, "latency", tcpwhy_report_latency(request->report), NULL);
    tw_rows_json(request, to, request->options.by_operation ? "operations" : "exchanges",
                 fields_of(request), rows);
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    g_autoptr(tw_array) rows = rows_of(request);

    tw_rows_csv(request, out, fields_of(request), rows);
}

const struct tw_renderer tw_renderer_exchanges = {
    .document = TCPWHY_DOC_EXCHANGES,
    .command = "exchanges",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv },
};
