/* SPDX-License-Identifier: MIT */
/* A flow graph's rows for programs. */
#include <tcpwhy/tcpwhy.h>

#include "base/array.h"
#include "base/options.h"
#include "report/flow/flow.h"
#include "report/flow/flow_part.h"
#include "report/report_views.h"

/* Fields of a row's first frame; a gap only has its ends. */
static void describe_frame(const struct tw_record *r, struct tcpwhy_flow_row *row)
{
    row->from = (enum tcpwhy_side)r->from;
    row->frame_class = (enum tcpwhy_class)r->frame_class;
    row->flags = r->flags;
    row->seq = r->seq;
    row->ack = r->ack;
    row->window_bytes = tw_record_knows_window(r) ? (int64_t)r->window_bytes : -1;
}

static void describe_gap(const struct tcpwhy_span *span, struct tcpwhy_flow_row *row)
{
    if (!span)
        return;
    row->from = span->from;
    row->cause = span->cause;
    row->party = span->party;
    row->confidence = span->confidence;
    row->rival = span->rival;
}

static struct tcpwhy_flow_row row_view(const struct tw_flow_row *from)
{
    static const enum tcpwhy_flow_kind kinds[] = {
        [TW_FLOW_FRAME] = TCPWHY_FLOW_FRAME,
        [TW_FLOW_RUN] = TCPWHY_FLOW_RUN,
        [TW_FLOW_GAP] = TCPWHY_FLOW_GAP,
        [TW_FLOW_CUT] = TCPWHY_FLOW_CUT,
    };
    struct tcpwhy_flow_row row = {
        .kind = kinds[from->kind],
        .first_frame = from->first->frame,
        .last_frame = from->last->frame,
        .from_ns = from->first->time_ns,
        .to_ns = from->last->time_ns,
        .window_bytes = -1,
        .bytes = from->kind == TW_FLOW_FRAME ? from->first->len : from->bytes,
        .frames = from->kind == TW_FLOW_FRAME ? 1 : from->n,
        .acks = from->n_acks,
        .nth = from->nth,
        .duplicate_acks = from->n_duplicates,
        .asks = from->asks,
        .answers = from->answers,
    };

    if (from->kind == TW_FLOW_GAP)
        describe_gap(from->span, &row);
    else
        describe_frame(from->first, &row);
    return row;
}

/* The rows stand in the same block. */
static struct tcpwhy_flow *flow_view(const struct tw_flow *flow, uint32_t stream)
{
    size_t n = flow->rows->len;
    const void **room;
    struct tcpwhy_flow_row *rows;
    struct tcpwhy_flow *view = tw_view_block(sizeof *view + n * sizeof *rows, n, &room);

    rows = (struct tcpwhy_flow_row *)(void *)(view + 1);

    for (size_t i = 0; i < n; i++)
        rows[i] = row_view(&tw_array_index(flow->rows, struct tw_flow_row, i));
    *view = (struct tcpwhy_flow) {
        .stream = stream,
        .shows = tw_flow_part_name(flow->part),
        .rows = tw_view_list(&room, rows, n, sizeof *rows),
        .n_rows = n,
    };
    return view;
}

static int new_flow(const tcpwhy_report *report, uint32_t stream,
                    const struct tcpwhy_flow_options *options, struct tcpwhy_flow **out)
{
    struct tw_flow_source source;
    struct tw_flow flow;

    if (!tw_flow_find(report, stream, &source))
        return TCPWHY_ERR_ARGUMENT;
    tw_flow_build(source.stream, source.log, options, &flow);
    *out = flow_view(&flow, stream);
    tw_flow_clear(&flow);
    return 0;
}

int tcpwhy_flow_new(const tcpwhy_report *report, uint32_t stream,
                    const struct tcpwhy_flow_options *given, struct tcpwhy_flow **out)
{
    struct tcpwhy_flow_options options;
    struct tw_guard guard;
    int status;

    if (!report || !out)
        return TCPWHY_ERR_USAGE;
    if (!tw_options_copy(&options, sizeof options, given))
        return TCPWHY_ERR_ARGUMENT;
    if (TW_FAILED(guard))
        return TCPWHY_ERR_MEMORY;
    tw_call_begin(&guard);
    status = new_flow(report, stream, &options, out);
    tw_call_end(&guard);
    return status;
}

void tcpwhy_flow_free(struct tcpwhy_flow *flow)
{
    tw_free(flow);
}
