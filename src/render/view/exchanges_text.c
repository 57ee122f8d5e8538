/* SPDX-License-Identifier: MIT */
/*
 * One row a request with its response, and the latencies of all of them.
 */
#include "base/number.h"
#include "render/renderer.h"
#include "render/writers/table.h"
#include "render/view/text_parts.h"

enum {
    COL_STREAM,
    COL_START,
    COL_REQUEST,
    COL_STATUS,
    COL_FIRST_BYTE,
    COL_TOTAL,
    COL_ASKED_BYTES,
    COL_BYTES,
    COL_FRAMES,
};

static const struct tw_column columns[] = {
    [COL_STREAM] = { .title = "stream", .right = true },
    [COL_START] = { .title = "start s", .right = true, .leaves = 2 },
    [COL_REQUEST] = { .title = "request", .min = 20 },
    [COL_STATUS] = { .title = "status", .right = true },
    [COL_FIRST_BYTE] = { .title = "first byte ms", .right = true, .leaves = 1 },
    [COL_TOTAL] = { .title = "total ms", .right = true },
    [COL_ASKED_BYTES] = { .title = "request bytes", .right = true, .leaves = 4 },
    [COL_BYTES] = { .title = "response bytes", .right = true, .leaves = 3 },
    [COL_FRAMES] = { .title = "frames", .leaves = 5 },
};

struct row {
    uint32_t stream;
    const struct tcpwhy_exchange *exchange;
};

static void frames(const struct tcpwhy_exchange *e, GString *text)
{
    uint32_t first = e->request_frame ? e->request_frame : e->response_frame;
    uint32_t last = e->response_last_frame ? e->response_last_frame : e->request_last_frame;

    g_string_append_printf(text, "%u-%u", first, MAX(first, last));
}

static void request_cell(const struct tcpwhy_exchange *e, GString *text)
{
    if (e->request[0])
        g_string_append(text, e->request);
    else
        g_string_append_printf(text, "(%s)", e->protocol);
}

static void status_cell(const struct tcpwhy_exchange *e, GString *text, enum tw_tone *tone)
{
    if (e->status)
        g_string_append_printf(text, "%u", e->status);
    else
        g_string_append(text, "-");
    if (e->status >= 400)
        *tone = TW_TONE_WARN;
}

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 GString *text, enum tw_tone *tone)
{
    const struct row *r = (const struct row *)data + row;
    const struct tcpwhy_exchange *e = r->exchange;
    char number[TW_NUMBER_TEXT];

    (void)page;
    switch (column) {
    case COL_STREAM:
        g_string_append_printf(text, "%u", r->stream);
        break;
    case COL_START:
        g_string_append(text, tw_number_seconds(e->start_ns, 6, number));
        break;
    case COL_REQUEST:
        request_cell(e, text);
        break;
    case COL_STATUS:
        status_cell(e, text, tone);
        break;
    case COL_FIRST_BYTE:
        g_string_append(text, tw_number_ms(e->first_byte_ns, 3, number));
        break;
    case COL_TOTAL:
        g_string_append(text, tw_number_ms(e->total_ns, 3, number));
        if (!e->complete)
            *tone = TW_TONE_WARN;
        break;
    case COL_ASKED_BYTES:
        g_string_append(text, tw_number_count(e->request_bytes, number));
        break;
    case COL_BYTES:
        g_string_append(text, tw_number_count(e->response_bytes, number));
        g_string_append(text, e->complete ? "" : "+");
        break;
    default:
        frames(e, text);
        break;
    }
}

static GArray *gather(const tcpwhy_report *report)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct row));
    size_t n;
    const struct tw_stream_row *s = tw_report_streams(report, &n);

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < s[i].n_exchanges; k++) {
            struct row row = { s[i].stream, &s[i].exchanges[k] };

            g_array_append_val(rows, row);
        }
    }
    return rows;
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    GArray *rows = gather(request->report);
    struct tw_table table = { .columns = columns,
                              .n_columns = G_N_ELEMENTS(columns),
                              .n_rows = rows->len,
                              .data = rows->data,
                              .cell = cell };

    tw_text_capture(page, request->report);
    if (tw_report_capture(request->report)->streams == 0) {
        tw_text_say_no_stream(page, request->report);
    } else if (rows->len == 0) {
        tw_layout_end_line(page);
        tw_layout_line(page, TW_TONE_WARN, "No request/response pair was found.");
    } else {
        tw_layout_end_line(page);
        tw_table_draw(page, &table);
        tw_layout_end_line(page);
        tw_text_latency(page, 0, "", tcpwhy_report_latency(request->report), NULL);
    }
    g_array_free(rows, TRUE);
}

const struct tw_renderer tw_renderer_exchanges_text = {
    .document = TCPWHY_DOC_EXCHANGES,
    .text = text,
};
