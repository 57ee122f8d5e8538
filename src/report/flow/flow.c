/* SPDX-License-Identifier: MIT */
/*
 * Chooses the frames of a flow graph: a part of one stream, or several streams in the order of the
 * capture.
 */
#include "report/flow/flow.h"

#include "base/array.h"
#include "report/flow/flow_part.h"
#include "report/flow/flow_rows.h"
#include "report/flow/flow_show.h"
#include "report/report.h"

/* An exchange of more frames is drawn only when it folds into a readable number of rows. */
#define LONG_EXCHANGE 100
#define FEW_ROWS      6
#define MANY_ROWS     60

uint32_t tw_flow_sources(const tcpwhy_report *report, struct tw_flow_source **out)
{
    size_t n_streams;
    const struct tw_stream_row *stream = tw_report_streams(report, &n_streams);
    guint n_logs = MIN((guint)n_streams, report->logs->len);
    uint32_t n = 0;

    *out = tw_new(struct tw_flow_source, n_logs + 1);
    for (guint i = 0; i < n_logs; i++)
        if (tw_ptr_array_index(report->logs, i))
            (*out)[n++] =
                (struct tw_flow_source) { &stream[i], tw_ptr_array_index(report->logs, i) };
    return n;
}

bool tw_flow_find(const tcpwhy_report *report, uint32_t stream, struct tw_flow_source *out)
{
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(report, &source);
    bool found = false;

    for (uint32_t i = 0; i < n && !found; i++) {
        found = source[i].stream->stream == stream && source[i].log->n > 0;
        *out = source[i];
    }
    tw_free(source);
    return found;
}

/* Rows of the part that was chosen. */
static void build_part(const struct tw_flow_source *source,
                       const struct tcpwhy_flow_options *options, struct tw_flow *flow)
{
    uint32_t n = flow->end - flow->first, shown = 0;
    struct tw_flow_event *event = tw_new(struct tw_flow_event, n + 1);

    for (uint32_t i = 0; i < n; i++) {
        const struct tw_record *r = &source->log->record[flow->first + i];

        if (tw_flow_shows(r, options))
            event[shown++] = (struct tw_flow_event) { r, 0 };
    }
    flow->n_hidden = n - shown;
    tw_flow_rows(source, 1, event, shown, options, flow);
    tw_free(event);
}

/* A long transfer is one exchange: folded it may say nothing, unfolded too much. */
static bool says_little(const struct tw_flow *flow)
{
    return flow->part == TW_FLOW_EXCHANGE && flow->end - flow->first > LONG_EXCHANGE &&
           (flow->rows->len < FEW_ROWS || flow->rows->len > MANY_ROWS);
}

void tw_flow_build(const struct tw_stream_row *stream, const struct tw_log *log,
                   const struct tcpwhy_flow_options *options, struct tw_flow *out)
{
    const struct tw_flow_source source = { stream, log };

    *out = (struct tw_flow) { .rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_row)) };
    tw_flow_choose_part(stream, log, options, out);
    build_part(&source, options, out);
    if (says_little(out) && tw_flow_choose_span(stream, log, out))
        build_part(&source, options, out);
}

void tw_flow_build_digest(const struct tw_stream_row *stream, const struct tw_log *log,
                          uint32_t max_rows, struct tw_flow *out)
{
    const struct tcpwhy_flow_options options = { .whole = true, .max_rows = max_rows };
    const struct tw_flow_source source = { stream, log };

    *out = (struct tw_flow) { .part = TW_FLOW_DIGEST,
                              .end = log->n,
                              .rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_row)) };
    build_part(&source, &options, out);
}

static gint by_frame(gconstpointer a, gconstpointer b)
{
    const struct tw_flow_event *x = a, *y = b;

    return (x->record->frame > y->record->frame) - (x->record->frame < y->record->frame);
}

void tw_flow_build_together(const struct tw_flow_source *source, uint32_t n,
                            const struct tcpwhy_flow_options *options, struct tw_flow *out)
{
    tw_array *events = tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_event));
    const struct tw_flow_event *event;

    *out = (struct tw_flow) { .rows = tw_array_new(FALSE, FALSE, sizeof(struct tw_flow_row)) };
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = 0; k < source[i].log->n; k++) {
            struct tw_flow_event e = { &source[i].log->record[k], i };

            if (!tw_flow_is_asked_for(e.record, options))
                continue;
            if (tw_flow_shows(e.record, options))
                tw_array_append_val(events, e);
            else
                out->n_hidden++;
        }
    }
    tw_array_sort(events, by_frame);
    event = (const struct tw_flow_event *)(const void *)events->data;
    out->part = events->len > 0 && tw_flow_asks(options) ? TW_FLOW_ASKED : TW_FLOW_WHOLE;
    tw_flow_rows(source, n, event, events->len, options, out);
    tw_array_free(events, TRUE);
}

void tw_flow_clear(struct tw_flow *flow)
{
    tw_array_free(flow->rows, TRUE);
    flow->rows = NULL;
}
