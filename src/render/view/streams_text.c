/* SPDX-License-Identifier: MIT */
/*
 * One row a connection, in tshark's order.
 */
#include "base/number.h"
#include "render/renderer.h"
#include "render/writers/table.h"
#include "render/view/text_parts.h"

enum {
    COL_STREAM,
    COL_CLIENT,
    COL_SERVER,
    COL_START,
    COL_LIFE,
    COL_FRAMES,
    COL_UP,
    COL_DOWN,
    COL_AGAIN,
    COL_RTT,
    COL_EXCHANGES,
    COL_MEDIAN,
    COL_LOST,
    COL_CAUSE,
};

static const struct tw_column columns[] = {
    [COL_STREAM] = { .title = "stream", .right = true },
    [COL_CLIENT] = { .title = "client", .min = 15 },
    [COL_SERVER] = { .title = "server", .min = 15 },
    [COL_START] = { .title = "start s", .right = true, .leaves = 8 },
    [COL_LIFE] = { .title = "duration", .right = true, .leaves = 1 },
    [COL_FRAMES] = { .title = "frames", .right = true, .leaves = 6 },
    [COL_UP] = { .title = "to server", .right = true, .leaves = 4 },
    [COL_DOWN] = { .title = "to client", .right = true, .leaves = 3 },
    [COL_AGAIN] = { .title = "retrans", .right = true, .leaves = 7 },
    [COL_RTT] = { .title = "RTT", .right = true, .leaves = 9 },
    [COL_EXCHANGES] = { .title = "requests", .right = true, .leaves = 10 },
    [COL_MEDIAN] = { .title = "median", .right = true, .leaves = 5 },
    [COL_LOST] = { .title = "lost", .right = true },
    [COL_CAUSE] = { .title = "main cause", .min = 16 },
};

static void ends(const struct tw_stream_row *s, size_t column, GString *text)
{
    char endpoint[TCPWHY_ENDPOINT_TEXT];
    bool client = column == COL_CLIENT;

    g_string_append(text, tcpwhy_endpoint_format(client ? &s->client : &s->server, endpoint));
    if (client && s->roles_inferred)
        g_string_append(text, "?");
}

static void verdict(const struct tw_stream_row *s, size_t column, GString *text, enum tw_tone *tone)
{
    bool healthy = s->verdict.cause == TCPWHY_CAUSE_NONE;
    bool idle = healthy || s->verdict.cause == TCPWHY_CLIENT_IDLE; /* which is no loss */
    char number[TW_NUMBER_TEXT];

    if (column == COL_LOST) {
        g_string_append(text, idle ? "-" : tw_number_duration(s->verdict.cost_ns, number));
        return;
    }
    g_string_append(text, healthy ? "-" : tcpwhy_cause_info(s->verdict.cause)->name);
    *tone = healthy ? TW_TONE_QUIET : tw_text_cause_tone(s->verdict.cause);
}

static void cell(const struct tw_layout *page, const void *data, size_t row, size_t column,
                 GString *text, enum tw_tone *tone)
{
    const struct tw_stream_row *s = (const struct tw_stream_row *)data + row;
    char number[TW_NUMBER_TEXT];

    (void)page;
    switch (column) {
    case COL_STREAM:
        g_string_append_printf(text, "%u", s->stream);
        break;
    case COL_CLIENT:
    case COL_SERVER:
        ends(s, column, text);
        break;
    case COL_START:
        g_string_append(text, tw_number_seconds(s->start_ns, 3, number));
        break;
    case COL_LIFE:
        g_string_append(text, tw_number_duration(s->duration_ns, number));
        break;
    case COL_FRAMES:
        g_string_append(text, tw_number_count(s->frames, number));
        break;
    case COL_UP:
        g_string_append(text, tw_number_bytes(s->bytes_to_server, number));
        break;
    case COL_DOWN:
        g_string_append(text, tw_number_bytes(s->bytes_to_client, number));
        break;
    case COL_AGAIN:
        g_string_append(text, tw_number_count(s->retransmissions, number));
        break;
    case COL_RTT:
        g_string_append(text, tw_number_duration(s->rtt_median_ns, number));
        break;
    case COL_EXCHANGES:
        g_string_append(text, tw_number_count(s->latency.count, number));
        break;
    case COL_MEDIAN:
        g_string_append(text, tw_number_duration(s->latency.p50_ns, number));
        break;
    default:
        verdict(s, column, text, tone);
        break;
    }
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    struct tw_table table = { .columns = columns,
                              .n_columns = G_N_ELEMENTS(columns),
                              .cell = cell };

    table.data = tw_report_streams(request->report, &table.n_rows);
    tw_text_capture(page, request->report);
    if (table.n_rows == 0) {
        tw_text_say_no_stream(page, request->report);
        return;
    }
    tw_layout_end_line(page);
    tw_table_draw(page, &table);
}

const struct tw_renderer tw_renderer_streams_text = {
    .document = TCPWHY_DOC_STREAMS,
    .text = text,
};
