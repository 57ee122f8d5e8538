/* SPDX-License-Identifier: MIT */
/*
 * A stream's flow graph as a ladder of text: time runs down, the client stands left, the server
 * right.
 *
 *     frame      ms  10.9.0.1:60404                  10.9.0.2:8080
 *        36   0.000  |-PSH,ACK seq 1 ack 1 len 40------------>|
 *                    :     40.012 ms nagle_delayed_ack        :  server, likely
 */
#include "render/flow_ladder.h"
#include "render/flow_words.h"
#include "render/number.h"
#include "render/renderer.h"
#include "render/text.h"
#include "render/text_parts.h"
#include "report/report.h"

/* A silence of so large a part of what is shown gets a taller gap. */
#define TALL_GAP_PART 4

/* Flags, seq, ack, len and window: as much of it as there is room for, the least needed first out.
 */
static void label_of(const struct tw_ladder *l, const struct tw_record *r, GString *to)
{
    static const unsigned orders[][4] = {
        { 1, 1, 1, 1 }, { 1, 1, 1, 0 }, { 1, 0, 1, 0 }, { 0, 0, 1, 0 }
    };
    unsigned room = l->right - l->left - 4;
    char flags[TW_FLAGS_TEXT];

    tw_flags_text(r->flags, flags);
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        g_string_printf(to, "%s", flags);
        if (orders[i][0])
            g_string_append_printf(to, " seq %" G_GINT64_FORMAT, r->seq);
        if (orders[i][1] && (r->flags & TW_ACK))
            g_string_append_printf(to, " ack %" G_GINT64_FORMAT, r->ack);
        if (orders[i][2] && r->len > 0)
            g_string_append_printf(to, " len %u", r->len);
        if (orders[i][3] && r->window_bytes != TW_LOG_WINDOW_UNKNOWN)
            g_string_append_printf(to, " win %u", r->window_bytes);
        if (to->len <= room)
            return;
    }
}

static enum tw_tone class_tone(enum tcpwhy_class frame_class)
{
    switch (frame_class) {
    case TCPWHY_CLASS_RETRANSMISSION:
    case TCPWHY_CLASS_WINDOW_PROBE:
    case TCPWHY_CLASS_RST:
        return TW_TONE_BAD;
    case TCPWHY_CLASS_OUT_OF_ORDER:
    case TCPWHY_CLASS_DUPLICATE_FRAME:
    case TCPWHY_CLASS_DUPLICATE_ACK:
    case TCPWHY_CLASS_WINDOW_PROBE_ACK:
        return TW_TONE_WARN;
    case TCPWHY_CLASS_DATA:
        return TW_TONE_PLAIN;
    default:
        return TW_TONE_QUIET;
    }
}

static void draw_frame(struct tw_ladder *l, const struct tw_flow_row *row)
{
    const struct tw_record *r = &l->log->record[row->first];
    enum tcpwhy_class frame_class = (enum tcpwhy_class)r->frame_class;
    GString *label = g_string_new(NULL);

    label_of(l, r, label);
    tw_ladder_frame(l, r);
    tw_ladder_arrow(l, (enum tcpwhy_side)r->from, label->str, false, class_tone(frame_class));
    tw_ladder_note(l, class_tone(frame_class), tcpwhy_class_name(frame_class));
    g_string_free(label, TRUE);
}

/* "12 segments, 17,376 bytes, 6 ACKs": as much of it as there is room for. */
static void run_label(const struct tw_ladder *l, const struct tw_flow_row *row, GString *to)
{
    unsigned room = l->right - l->left - 4;
    char number[TW_NUMBER_TEXT];
    gsize whole;

    tw_text_count(to, row->n, "segment", "segments");
    if (row->bytes > 0)
        g_string_append_printf(to, ", %s bytes", tw_number_count(row->bytes, number));
    whole = to->len;
    if (row->n_acks > 0) {
        g_string_append(to, ", ");
        tw_text_count(to, row->n_acks, "ACK", "ACKs");
    }
    if (to->len > room)
        g_string_truncate(to, whole);
    if (to->len > room)
        g_string_printf(to, "%u, %s", row->n, tw_number_bytes(row->bytes, number));
}

static void draw_run(struct tw_ladder *l, const struct tw_flow_row *row)
{
    const struct tw_record *r = &l->log->record[row->first];
    enum tcpwhy_class frame_class = (enum tcpwhy_class)r->frame_class;
    GString *label = g_string_new(NULL);

    run_label(l, row, label);
    tw_ladder_frame(l, r);
    tw_ladder_arrow(l, (enum tcpwhy_side)r->from, label->str, true, class_tone(frame_class));
    tw_ladder_note(l, class_tone(frame_class), tcpwhy_class_name(frame_class));
    g_string_free(label, TRUE);
}

static void gap_words(const struct tw_ladder *l, const struct tw_flow_row *row, GString *text,
                      GString *beside)
{
    tcpwhy_ns ns = l->log->record[row->last].time_ns - l->log->record[row->first].time_ns;
    const struct tcpwhy_span *s = row->span;
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(text, "%s ms", tw_number_ms(ns, 3, number));
    if (!s)
        return;
    g_string_append_printf(text, " %s", tcpwhy_cause_info(s->cause)->name);
    if (s->party != TCPWHY_PARTY_NONE)
        g_string_append_printf(beside, "%s, ", tcpwhy_party_name(s->party));
    g_string_append(beside, tcpwhy_confidence_name(s->confidence));
}

static void draw_gap(struct tw_ladder *l, const struct tw_flow_row *row)
{
    tcpwhy_ns ns = l->log->record[row->last].time_ns - l->log->record[row->first].time_ns;
    enum tw_tone tone = row->span ? tw_text_cause_tone(row->span->cause) : TW_TONE_WARN;
    bool tall = ns >= l->shown_ns / TALL_GAP_PART;
    GString *text = g_string_new(NULL), *beside = g_string_new(NULL);

    gap_words(l, row, text, beside);
    if (tall)
        tw_ladder_gap(l, "", tone, "");
    tw_ladder_gap(l, text->str, tone, beside->str);
    if (tall)
        tw_ladder_gap(l, "", tone, "");
    g_string_free(beside, TRUE);
    g_string_free(text, TRUE);
}

static void draw_cut(struct tw_ladder *l, const struct tw_flow_row *row)
{
    GString *text = g_string_new(NULL);

    tw_text_count(text, row->n, "more frame", "more frames");
    g_string_append_printf(text, ": --frames %u-%u", l->log->record[row->first].frame,
                           l->log->record[row->last].frame);
    tw_ladder_gap(l, text->str, TW_TONE_NOTE, "");
    g_string_free(text, TRUE);
}

static void title(struct tw_page *page, const struct tcpwhy_stream *s, const struct tw_log *log,
                  const struct tw_flow *flow)
{
    GString *text = g_string_new(NULL);
    char number[TW_NUMBER_TEXT];

    g_string_append_printf(text, "Stream %u", s->stream);
    if (flow->part == TW_FLOW_EXCHANGE) {
        g_string_append_printf(text, ", the exchange that lost most (%zu of %zu): ",
                               flow->exchange_index + 1, s->n_exchanges);
        if (flow->exchange->request[0])
            g_string_append_printf(text, "%s, ", flow->exchange->request);
        g_string_append(text, tw_number_duration(flow->exchange->total_ns, number));
    } else if (flow->part == TW_FLOW_SPAN) {
        g_string_append_printf(text, ", around its longest wait: %s",
                               tcpwhy_cause_info(s->verdict.cause)->title);
    }
    g_string_append_printf(text, "; ms count from %s s into the capture",
                           tw_number_seconds(log->record[flow->first].time_ns, 6, number));
    tw_page_paragraph(page, 0, TW_TONE_STRONG, text->str);
    g_string_free(text, TRUE);
}

static void draw_rows(struct tw_ladder *l, const struct tw_flow *flow)
{
    static void (*const draw[])(struct tw_ladder *, const struct tw_flow_row *) = {
        [TW_FLOW_FRAME] = draw_frame,
        [TW_FLOW_RUN] = draw_run,
        [TW_FLOW_GAP] = draw_gap,
        [TW_FLOW_CUT] = draw_cut,
    };

    for (guint i = 0; i < flow->rows->len && !l->page->out->stopped; i++) {
        const struct tw_flow_row *row = &g_array_index(flow->rows, struct tw_flow_row, i);

        draw[row->kind](l, row);
    }
}

static void draw_stream(struct tw_page *page, const struct tcpwhy_stream *stream,
                        const struct tw_log *log, const struct tcpwhy_flow_options *options)
{
    struct tw_ladder l = { .page = page, .stream = stream, .log = log };
    struct tw_flow flow;

    tw_flow_build(stream, log, options, &flow);
    if (flow.first < flow.end) {
        l.zero_ns = log->record[flow.first].time_ns;
        l.shown_ns = log->record[flow.end - 1].time_ns - l.zero_ns;
        tw_ladder_lay_out(&l, &flow);
        title(page, stream, log, &flow);
        tw_page_end_line(page);
        tw_ladder_hosts(&l);
        draw_rows(&l, &flow);
    } else {
        tw_page_putf(page, TW_TONE_WARN, "Stream %u has no frame in that range.", stream->stream);
        tw_page_end_line(page);
    }
    tw_flow_clear(&flow);
}

static void text(const struct tw_request *request, struct tw_page *page)
{
    size_t n;
    const struct tcpwhy_stream *stream = tcpwhy_report_streams(request->report, &n);
    const GPtrArray *logs = request->report->logs;

    for (size_t i = 0; i < n && logs && i < logs->len && !page->out->stopped; i++) {
        if (i > 0)
            tw_page_end_line(page);
        if (g_ptr_array_index(logs, i))
            draw_stream(page, &stream[i], g_ptr_array_index(logs, i), request->flow);
    }
}

const struct tw_renderer tw_renderer_flow_text = {
    .document = TCPWHY_DOC_FLOW,
    .text = text,
};
