/* SPDX-License-Identifier: MIT */
/*
 * UDP flows, a row a direction.
 */
#include "base/array.h"
#include "render/view/view.h"
#include "report/facts/udp_flows.h"
#include "report/report.h"

struct row {
    struct tw_udp_row r;
    tcpwhy_ns duration_ns;
    double bits, packets, loss;
};

static bool has_number(const void *row)
{
    return ((const struct row *)row)->r.number != TW_UDP_NO_NUMBER;
}

static void bits_words(tw_string *text, const void *row)
{
    double bits = ((const struct row *)row)->bits;

    tw_string_append(text, bits > 0 ? tw_bit_rate((int64_t)(bits + 0.5)).text : "-");
}

static void packets_words(tw_string *text, const void *row)
{
    double packets = ((const struct row *)row)->packets;

    tw_string_append(
        text, packets > 0
                  ? tw_fixed((int64_t)(packets * 10 + 0.5), 1, packets < 100 ? 1 : 0, true).text
                  : "-");
}

static void lost_cell(const void *row, tw_string *text, enum tw_tone *tone)
{
    const struct row *r = row;

    if (!has_number(row)) {
        tw_string_append_c(text, '-');
        return;
    }
    tw_string_append(text, tw_count(r->r.lost).text);
    if (r->r.lost > 0) {
        tw_string_append_printf(text, " %s", tw_percent(r->loss).text);
        *tone = TW_TONE_BAD;
    }
}

static void by_words(tw_string *text, const void *row)
{
    static const char *const by[] = { "-", "IP ID", "RTP", "iperf3" };

    tw_string_append(text, by[((const struct row *)row)->r.number]);
}

#define OF(member) TW_AT(struct row, member)

static const struct tw_field fields[] = {
    { "from", TW_ENDPOINT, OF(r.from), .title = "from", .min = 15 },
    { "to", TW_ENDPOINT, OF(r.to), .title = "to", .min = 15 },
    { "first_frame", TW_FRAME, OF(r.first_frame) },
    { "last_frame", TW_FRAME, OF(r.last_frame) },
    { "start_ms", TW_MS, OF(r.start_ns) },
    { "duration_ms", TW_MS, OF(duration_ns), .title = "duration", .leaves = 4 },
    { "packets", TW_UINT, OF(r.packets), .title = "packets", .leaves = 3 },
    { "bytes", TW_UINT, OF(r.bytes), .title = "bytes", .format = TW_FORMAT_BYTES, .leaves = 5 },
    { "bits_per_s", TW_REAL, OF(bits), .title = "rate", .words = bits_words },
    { "packets_per_s", TW_REAL, OF(packets), .title = "packets/s", .words = packets_words },
    { "number", TW_NAME, OF(r.number), .name = tw_udp_number_name, .title = "by", .leaves = 2,
      .words = by_words },
    { "lost", TW_UINT, OF(r.lost), .title = "lost", .cell = lost_cell, .shown = has_number },
    { "loss", TW_REAL, OF(loss), .shown = has_number },
    { "out_of_order", TW_UINT, OF(r.out_of_order), .title = "late", .zero_is_dash = true,
      .leaves = 1, .shown = has_number },
    { "duplicates", TW_UINT, OF(r.duplicates), .shown = has_number },
    { "jitter_ms", TW_MS, OF(r.jitter_ns), .title = "jitter" },
    { "jitter_by_sender", TW_BOOL, OF(r.jitter_by_sender) },
    TW_FIELDS_END,
};

static tw_array *gather(const tcpwhy_report *report)
{
    tw_array *rows = tw_array_new(FALSE, FALSE, sizeof(struct row));

    for (guint i = 0; report->udp && i < report->udp->len; i++) {
        struct row row = { .r = tw_array_index(report->udp, struct tw_udp_row, i) };

        row.duration_ns = row.r.end_ns - row.r.start_ns;
        row.bits = tw_udp_bits(&row.r);
        row.packets = tw_udp_packets(&row.r);
        row.loss = (double)row.r.lost / (double)(row.r.lost + row.r.packets);
        tw_array_append_val(rows, row);
    }
    return rows;
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    tw_array *rows = gather(request->report);
    size_t shown = tw_request_rows(request, rows->len);

    tw_text_capture(page, request->report);
    tw_layout_end_line(page);
    if (rows->len == 0)
        tw_layout_line(page, TW_TONE_WARN, "No UDP in this capture.");
    else
        tw_fields_table(page, fields, rows->data, shown, sizeof(struct row), 0);
    tw_text_say_more(page, rows->len - shown, "more flow", "more flows");
    tw_array_free(rows, TRUE);
}

static void lines(const struct tw_request *request, struct tw_json *to)
{
    tw_array *rows = gather(request->report);

    tw_json_records(to, NULL, fields, rows->data, tw_request_rows(request, rows->len),
                    sizeof(struct row));
    tw_array_free(rows, TRUE);
}

static void json(const struct tw_request *request, struct tw_json *to)
{
    size_t n = request->report->udp ? request->report->udp->len : 0;

    tw_json_array(to, "flows");
    lines(request, to);
    tw_json_end(to);
    tw_json_left_out(to, "left_out", n - tw_request_rows(request, n));
}

static void csv(const struct tw_request *request, struct tw_writer *out)
{
    tw_array *rows = gather(request->report);

    tw_array_set_size(rows, (guint)tw_request_rows(request, rows->len));
    tw_csv_rows(out, fields, rows);
    tw_array_free(rows, TRUE);
}

const struct tw_renderer tw_renderer_udp = {
    .document = TCPWHY_DOC_UDP,
    .command = "udp",
    .text = text,
    .json = json,
    .lines = lines,
    .write = { [TCPWHY_FORMAT_CSV] = csv },
};
