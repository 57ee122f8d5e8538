/* SPDX-License-Identifier: MIT */
/*
 * A flow graph's rows as JSON: frames, folded runs and gaps, as the text draws them.
 */
#include "base/array.h"
#include "render/pictures/flow.h"
#include "render/view/flow_words.h"
#include "render/view/view.h"
#include "report/report.h"
#include "report/flow/flow_part.h"

static void frame(struct tw_json *json, const struct tw_record *r)
{
    tw_json_string(json, "row", "frame");
    tw_json_frame(json, "frame", r->frame);
    tw_json_ms(json, "time_ms", r->time_ns);
    tw_json_string(json, "direction", tw_name_side(r->from));
    tw_json_string(json, "flags", tw_flags(r->flags).text);
    tw_json_int(json, "seq", r->seq);
    tw_json_int(json, "ack", r->ack);
    tw_json_uint(json, "len", r->len);
    tw_json_known(json, "window_bytes", tw_record_knows_window(r), r->window_bytes);
    tw_json_string(json, "class", tcpwhy_class_name((enum tcpwhy_class)r->frame_class));
}

static void run(struct tw_json *json, const struct tw_flow_row *row)
{
    const struct tw_record *first = row->first, *last = row->last;

    tw_json_string(json, "row", "run");
    tw_json_frame(json, "first_frame", first->frame);
    tw_json_frame(json, "last_frame", last->frame);
    tw_json_ms(json, "from_ms", first->time_ns);
    tw_json_ms(json, "to_ms", last->time_ns);
    tw_json_string(json, "direction", tw_name_side(first->from));
    tw_json_string(json, "class", tcpwhy_class_name((enum tcpwhy_class)first->frame_class));
    tw_json_uint(json, "count", row->n);
    tw_json_uint(json, "bytes", row->bytes);
    tw_json_uint(json, "acks", row->n_acks);
    tw_json_uint(json, "duplicate_acks", row->n_duplicates);
}

static void gap(struct tw_json *json, const struct tw_flow_row *row)
{
    const struct tw_record *before = row->first, *after = row->last;
    const struct tcpwhy_span *s = row->span;

    tw_json_string(json, "row", "gap");
    tw_json_ms(json, "from_ms", before->time_ns);
    tw_json_ms(json, "to_ms", after->time_ns);
    tw_json_ms(json, "ms", after->time_ns - before->time_ns);
    if (s)
        tw_json_charge(json, s);
}

static void cut(struct tw_json *json, const struct tw_flow_row *row)
{
    tw_json_string(json, "row", "cut");
    tw_json_frame(json, "first_frame", row->first->frame);
    tw_json_frame(json, "last_frame", row->last->frame);
    tw_json_uint(json, "count", row->n);
}

static void graph(struct tw_json *json, const struct tw_stream_row *stream,
                  const struct tw_log *log, const struct tcpwhy_flow_options *options)
{
    static void (*const kinds[])(struct tw_json *, const struct tw_flow_row *) = {
        [TW_FLOW_RUN] = run, [TW_FLOW_GAP] = gap, [TW_FLOW_CUT] = cut
    };
    struct tw_flow flow;

    tw_flow_build(stream, log, options, &flow);
    tw_json_object(json, NULL);
    tw_json_stream_ends(json, stream);
    tw_json_string(json, "shows", tw_flow_part_name(flow.part));
    tw_json_uint(json, "hidden", flow.n_hidden);
    tw_json_array(json, "rows");
    for (guint i = 0; i < flow.rows->len; i++) {
        const struct tw_flow_row *row = &tw_array_index(flow.rows, struct tw_flow_row, i);

        tw_json_object(json, NULL);
        if (row->kind == TW_FLOW_FRAME)
            frame(json, row->first);
        else
            kinds[row->kind](json, row);
        tw_json_end(json);
    }
    tw_json_end(json);
    tw_json_end(json);
    tw_flow_clear(&flow);
}

void tw_flow_json_lines(const struct tw_request *request, struct tw_json *to)
{
    size_t n;
    const struct tw_stream_row *stream = tw_report_streams(request->report, &n);
    const tw_ptr_array *logs = request->report->logs;

    for (size_t i = 0; i < n && logs && i < logs->len; i++)
        if (tw_ptr_array_index(logs, i))
            graph(to, &stream[i], tw_ptr_array_index(logs, i), &request->flow);
}

void tw_flow_json(const struct tw_request *request, struct tw_json *to)
{
    tw_json_array(to, "flows");
    tw_flow_json_lines(request, to);
    tw_json_end(to);
}
