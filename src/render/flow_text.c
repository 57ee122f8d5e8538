/* SPDX-License-Identifier: MIT */
/*
 * A stream's flow graph as a ladder of text: time runs down, the client stands left, the server
 * right.
 *
 *     frame      ms  10.9.0.1:60404                  10.9.0.2:8080
 *        36   0.000  |-PSH,ACK seq 1 ack 1 len 40------------>|
 *                    :     40.012 ms nagle_delayed_ack        :  server, likely
 */
#include <stdio.h>
#include <string.h>

#include "render/flow_words.h"
#include "render/number.h"
#include "render/renderer.h"
#include "render/text.h"
#include "render/text_parts.h"
#include "report/report.h"

#define TIME_WIDTH     10
#define GAP            2
#define MAX_NOTE_WIDTH 26
#define MIN_NOTE_WIDTH 17

/* A silence of so large a part of what is shown gets a taller gap. */
#define TALL_GAP_PART 4

struct glyphs {
    const char *rail, *broken, *line, *left, *right, *fold;
};

static const struct glyphs unicode_glyphs = { "\u2502", "\u250A", "\u2500",
                                              "\u25C0", "\u25B6", "\u2550" };
static const struct glyphs ascii_glyphs = { "|", ":", "-", "<", ">", "=" };

struct ladder {
    struct tw_page *page;
    const struct glyphs *glyphs;
    const struct tcpwhy_stream *stream;
    tcpwhy_ns zero_ns, shown_ns;
    unsigned frame_width, left, right; /* columns of the rails */
};

static unsigned digits(uint32_t n)
{
    char text[TW_NUMBER_TEXT];

    return (unsigned)snprintf(text, sizeof(text), "%u", n);
}

static void lay_out(struct ladder *l, const struct tw_flow *flow)
{
    unsigned note = CLAMP(l->page->columns / 5, MIN_NOTE_WIDTH, MAX_NOTE_WIDTH);

    l->frame_width = MAX(digits(flow->last_frame), 5);
    l->left = l->frame_width + GAP + TIME_WIDTH + GAP;
    l->right = l->page->columns - note - GAP;
}

static void right_aligned(struct ladder *l, unsigned end, const char *text)
{
    unsigned width = tw_text_width(text, l->page->ascii);

    if (width < end)
        tw_page_tab(l->page, end - width);
    tw_page_put(l->page, TW_TONE_PLAIN, text);
}

static void frame_and_time(struct ladder *l, const struct tw_record *r)
{
    char text[TW_NUMBER_TEXT];

    snprintf(text, sizeof(text), "%u", r->frame);
    right_aligned(l, l->frame_width, text);
    right_aligned(l, l->left - GAP, tw_number_ms(r->time_ns - l->zero_ns, 3, text));
    tw_page_tab(l->page, l->left);
}

static void note(struct ladder *l, enum tw_tone tone, const char *text)
{
    GString *fitted = g_string_new(NULL);

    tw_text_fit(fitted, text, l->page->columns - l->right - 1 - GAP, l->page->ascii);
    tw_page_tab(l->page, l->right + 1 + GAP);
    tw_page_put(l->page, tone, fitted->str);
    tw_page_end_line(l->page);
    g_string_free(fitted, TRUE);
}

/* An arrow from rail to rail with its label near the sender. */
static void arrow(struct ladder *l, enum tcpwhy_side from, const char *label, bool folded,
                  enum tw_tone tone)
{
    const struct glyphs *g = l->glyphs;
    const char *line = folded ? g->fold : g->line;
    unsigned inside = l->right - l->left - 1, used = tw_text_width(label, l->page->ascii) + 2;
    unsigned rest = inside > used ? inside - used : 0;
    GString *text = g_string_new(g->rail);

    if (from == TCPWHY_CLIENT) {
        g_string_append_printf(text, "%s%s", line, label);
        for (unsigned i = 0; i < rest; i++)
            g_string_append(text, line);
        g_string_append(text, g->right);
    } else {
        g_string_append(text, g->left);
        for (unsigned i = 0; i < rest; i++)
            g_string_append(text, line);
        g_string_append_printf(text, "%s%s", label, line);
    }
    g_string_append(text, g->rail);
    tw_page_put(l->page, tone, text->str);
    g_string_free(text, TRUE);
}

/* Flags, seq, ack, len and window: as much of it as there is room for, the least needed first out.
 */
static void label_of(const struct ladder *l, const struct tw_record *r, GString *to)
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

static void what(struct ladder *l, enum tw_tone tone, const struct tw_flow_row *row)
{
    GString *text = g_string_new(NULL);

    tw_flow_what(text, row);
    tw_flow_exchange(text, ", ", row);
    note(l, tone, text->str);
    g_string_free(text, TRUE);
}

static void draw_frame(struct ladder *l, const struct tw_flow_row *row)
{
    const struct tw_record *r = row->first;
    enum tcpwhy_class frame_class = (enum tcpwhy_class)r->frame_class;
    GString *label = g_string_new(NULL);

    label_of(l, r, label);
    frame_and_time(l, r);
    arrow(l, (enum tcpwhy_side)r->from, label->str, false, class_tone(frame_class));
    what(l, class_tone(frame_class), row);
    g_string_free(label, TRUE);
}

/* "12 segments, 17,376 bytes, 6 ACKs": as much of it as there is room for. */
static void run_label(const struct ladder *l, const struct tw_flow_row *row, GString *to)
{
    unsigned room = l->right - l->left - 4;
    char number[TW_NUMBER_TEXT];

    tw_flow_run(to, row);
    if (to->len > room && row->n_acks > 0)
        g_string_truncate(to, (gsize)(g_strrstr(to->str, ", ") - to->str));
    if (to->len > room)
        g_string_printf(to, "%u, %s", row->n, tw_number_bytes(row->bytes, number));
}

static void draw_run(struct ladder *l, const struct tw_flow_row *row)
{
    const struct tw_record *r = row->first;
    enum tcpwhy_class frame_class = (enum tcpwhy_class)r->frame_class;
    GString *label = g_string_new(NULL);

    run_label(l, row, label);
    frame_and_time(l, r);
    arrow(l, (enum tcpwhy_side)r->from, label->str, true, class_tone(frame_class));
    what(l, class_tone(frame_class), row);
    g_string_free(label, TRUE);
}

static void gap_line(struct ladder *l, const char *text, enum tw_tone tone, const char *beside)
{
    unsigned inside = l->right - l->left - 1, width = tw_text_width(text, l->page->ascii);

    tw_page_tab(l->page, l->left);
    tw_page_put(l->page, TW_TONE_QUIET, l->glyphs->broken);
    tw_page_tab(l->page, l->left + 1 + (inside > width ? (inside - width) / 2 : 0));
    tw_page_put(l->page, tone, text);
    tw_page_tab(l->page, l->right);
    tw_page_put(l->page, TW_TONE_QUIET, l->glyphs->broken);
    note(l, tone, beside);
}

static void gap_words(const struct tw_flow_row *row, GString *text, GString *beside)
{
    tcpwhy_ns ns = row->last->time_ns - row->first->time_ns;
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

static void draw_gap(struct ladder *l, const struct tw_flow_row *row)
{
    tcpwhy_ns ns = row->last->time_ns - row->first->time_ns;
    enum tw_tone tone = row->span ? tw_text_cause_tone(row->span->cause) : TW_TONE_WARN;
    bool tall = ns >= l->shown_ns / TALL_GAP_PART;
    GString *text = g_string_new(NULL), *beside = g_string_new(NULL);

    gap_words(row, text, beside);
    if (tall)
        gap_line(l, "", tone, "");
    gap_line(l, text->str, tone, beside->str);
    if (tall)
        gap_line(l, "", tone, "");
    g_string_free(beside, TRUE);
    g_string_free(text, TRUE);
}

static void draw_cut(struct ladder *l, const struct tw_flow_row *row)
{
    GString *text = g_string_new(NULL);

    tw_text_count(text, row->n, "more frame", "more frames");
    g_string_append_printf(text, ": --frames %u-%u", row->first->frame, row->last->frame);
    gap_line(l, text->str, TW_TONE_NOTE, "");
    g_string_free(text, TRUE);
}

static void draw_hosts(struct ladder *l)
{
    char client[TCPWHY_ENDPOINT_TEXT], server[TCPWHY_ENDPOINT_TEXT];
    unsigned half = (l->right - l->left) / 2 - 1;
    GString *fitted = g_string_new(NULL);

    right_aligned(l, l->frame_width, "frame");
    right_aligned(l, l->left - GAP, "ms");
    tw_page_tab(l->page, l->left);
    tw_text_fit(fitted, tcpwhy_endpoint_format(&l->stream->client, client), half, l->page->ascii);
    tw_page_put(l->page, TW_TONE_STRONG, fitted->str);
    g_string_truncate(fitted, 0);
    tw_text_fit(fitted, tcpwhy_endpoint_format(&l->stream->server, server), half, l->page->ascii);
    tw_page_tab(l->page, l->right + 1 - tw_text_width(fitted->str, l->page->ascii));
    tw_page_put(l->page, TW_TONE_STRONG, fitted->str);
    tw_page_end_line(l->page);
    g_string_free(fitted, TRUE);
}

static void title(struct tw_page *page, const struct tcpwhy_stream *s, const struct tw_flow *flow)
{
    GString *text = g_string_new(NULL);

    tw_flow_title(text, s, flow);
    tw_page_paragraph(page, 0, TW_TONE_STRONG, text->str);
    g_string_free(text, TRUE);
}

static void draw_rows(struct ladder *l, const struct tw_flow *flow)
{
    static void (*const draw[])(struct ladder *, const struct tw_flow_row *) = {
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
    struct ladder l = { .page = page, .stream = stream };
    struct tw_flow flow;

    tw_flow_build(stream, log, options, &flow);
    if (flow.n_frames > 0) {
        l.glyphs = page->ascii ? &ascii_glyphs : &unicode_glyphs;
        l.zero_ns = flow.from_ns;
        l.shown_ns = flow.to_ns - flow.from_ns;
        lay_out(&l, &flow);
        title(page, stream, &flow);
        tw_page_end_line(page);
        draw_hosts(&l);
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
