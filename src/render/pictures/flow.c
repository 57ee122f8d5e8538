/* SPDX-License-Identifier: MIT */
/*
 * Flow graphs as ladders of text: time runs down, a rail for each end; of one stream the client
 * stands left.
 *
 *     frame      ms  10.9.0.1:60404                  10.9.0.2:8080
 *        36   0.000  |-PSH,ACK seq 1 ack 1 len 40------------>|
 *                    :     40.012 ms nagle_delayed_ack        :  server, likely
 *
 * Lines are made of cells between the outermost rails, so that an arrow passes the rails between
 * its ends.
 */
#include "render/pictures/flow.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "render/view/flow_words.h"
#include "render/view/view.h"
#include "render/writers/text.h"

#define MIN_FRAME_WIDTH 5
#define MIN_TIME_WIDTH  10
#define GAP             2
#define MAX_NOTE_WIDTH  26
#define MIN_NOTE_WIDTH  17

/* A gap of at least this part of the shown time is drawn taller. */
#define TALL_GAP_PART 4

/* Columns that far apart hold an IPv4 address and a blank. */
#define MIN_SPACE 17

struct lines {
    struct tw_layout *page;
    const struct tw_flow_source *source;
    const struct tw_flow *flow;
    const struct tw_flow_columns *columns;
    unsigned frame_width, left, right; /* where the outermost rails stand */
};

struct glyphs {
    gunichar rail, broken, line, left, right, fold;
};

static const struct glyphs unicode_glyphs = { 0x2502, 0x250A, 0x2500, 0x25C0, 0x25B6, 0x2550 };
static const struct glyphs ascii_glyphs = { '|', ':', '-', '<', '>', '=' };

static const struct glyphs *glyphs_of(const struct lines *l)
{
    return l->page->ascii ? &ascii_glyphs : &unicode_glyphs;
}

/* Set where things stand, for the page and flow that are set. @return how many columns fit. */
static unsigned lay_out(struct lines *l)
{
    unsigned note = CLAMP(l->page->columns / 5, MIN_NOTE_WIDTH, MAX_NOTE_WIDTH);
    size_t frame = strlen(tw_plain(l->flow->last_frame).text);
    size_t time = strlen(tw_ms(l->flow->to_ns - l->flow->from_ns, 3).text);

    l->frame_width = (unsigned)MAX(frame, MIN_FRAME_WIDTH);
    l->left = l->frame_width + GAP + (unsigned)MAX(time, MIN_TIME_WIDTH) + GAP;
    l->right = l->page->columns - note - GAP;
    return MAX((l->right - l->left) / MIN_SPACE + 1, 2);
}

static unsigned n_rails(const struct lines *l)
{
    return MAX(l->columns->host->len, 2);
}

/* Cells from the first rail to rail i. */
static unsigned rail(const struct lines *l, unsigned i)
{
    return i * (l->right - l->left) / (n_rails(l) - 1);
}

static void right_aligned(const struct lines *l, unsigned end, const char *text)
{
    unsigned width = tw_text_width(text, l->page->ascii);

    if (width < end)
        tw_layout_tab(l->page, end - width);
    tw_layout_put(l->page, TW_TONE_PLAIN, text);
}

static void frame_and_time(const struct lines *l, const struct tw_record *r)
{
    right_aligned(l, l->frame_width, tw_plain(r->frame).text);
    right_aligned(l, l->left - GAP, tw_ms(r->time_ns - l->flow->from_ns, 3).text);
    tw_layout_tab(l->page, l->left);
}

static void note(const struct lines *l, enum tw_tone tone, const char *text)
{
    g_autoptr(tw_string) fitted = tw_string_new(NULL);

    tw_text_fit(fitted, text, l->page->columns - l->right - 1 - GAP, l->page->ascii);
    tw_layout_tab(l->page, l->right + 1 + GAP);
    tw_layout_put(l->page, tone, fitted->str);
    tw_layout_end_line(l->page);
}

/* A line with nothing but rails. */
static gunichar *empty_cells(const struct lines *l, gunichar glyph)
{
    unsigned n = l->right - l->left + 1;
    gunichar *cell = tw_new(gunichar, n);

    for (unsigned i = 0; i < n; i++)
        cell[i] = ' ';
    for (unsigned i = 0; i < n_rails(l); i++)
        cell[rail(l, i)] = glyph;
    return cell;
}

static void put_cells(const struct lines *l, gunichar *cell, enum tw_tone tone)
{
    char *text = tw_ucs4_to_utf8(cell, l->right - l->left + 1);

    tw_layout_put(l->page, tone, text);
    tw_free(text);
    tw_free(cell);
}

/* ASCII text into cells; as much of it as there are cells. */
static void write_cells(gunichar *cell, unsigned n, const char *text)
{
    for (unsigned i = 0; i < n && text[i]; i++)
        cell[i] = (unsigned char)text[i];
}

struct ends {
    unsigned from, to; /* cells of the rails */
    unsigned room;     /* for a label: one dash before it, the head behind */
};

static struct ends ends_of(const struct lines *l, const struct tw_flow_row *row)
{
    const uint32_t *column = l->columns->of[row->source];
    struct ends e = { rail(l, column[row->first->from]), rail(l, column[!row->first->from]), 0 };

    /* Two hosts that share the last column: the arrow comes from its left. One end that talks to
     * itself (a forged source) has one column. */
    if (e.from == e.to)
        e.from = rail(l, column[0] + 1 < n_rails(l) ? column[0] + 1 : column[0] - 1);
    e.room = (e.from < e.to ? e.to - e.from : e.from - e.to) - 3;
    return e;
}

/* An arrow from rail to rail with its label near the sender. */
static void arrow(const struct lines *l, const struct tw_flow_row *row, const char *label,
                  enum tw_tone tone)
{
    const struct glyphs *g = glyphs_of(l);
    gunichar *cell = empty_cells(l, g->rail);
    struct ends e = ends_of(l, row);
    unsigned low = MIN(e.from, e.to) + 1, high = MAX(e.from, e.to) - 1;
    unsigned len = MIN((unsigned)strlen(label), e.room);

    for (unsigned i = low; i <= high; i++)
        cell[i] = row->kind == TW_FLOW_RUN ? g->fold : g->line;
    if (e.from < e.to) {
        write_cells(&cell[low + 1], len, label);
        cell[high] = g->right;
    } else {
        write_cells(&cell[high - len], len, label);
        cell[low] = g->left;
    }
    put_cells(l, cell, tone);
}

/* Flags, seq, ack, len and window: as much of it as there is room for, the least needed first out.
 */
static void frame_label(const struct tw_record *r, unsigned room, tw_string *to)
{
    static const unsigned orders[][4] = {
        { 1, 1, 1, 1 }, { 1, 1, 1, 0 }, { 1, 0, 1, 0 }, { 0, 0, 1, 0 }, { 0, 0, 0, 0 }
    };
    for (size_t i = 0; i < G_N_ELEMENTS(orders); i++) {
        tw_string_assign(to, tw_flags(r->flags).text);
        if (orders[i][0])
            tw_string_append_printf(to, " seq %" G_GINT64_FORMAT, r->seq);
        if (orders[i][1] && (r->flags & TW_ACK))
            tw_string_append_printf(to, " ack %" G_GINT64_FORMAT, r->ack);
        if (orders[i][2] && r->len > 0)
            tw_string_append_printf(to, " len %u", r->len);
        if (orders[i][3] && tw_record_knows_window(r))
            tw_string_append_printf(to, " win %u", r->window_bytes);
        if (to->len <= room)
            return;
    }
}

/* "12 segments, 17,376 bytes, 6 ACKs", as far as there is room. Duplicate ACKs matter more than
 * bytes. */
static void run_label(const struct tw_flow_row *row, unsigned room, tw_string *to)
{
    static const unsigned parts[] = { TW_FLOW_RUN_ALL, TW_FLOW_RUN_BYTES | TW_FLOW_RUN_ACKS,
                                      TW_FLOW_RUN_ACKS, TW_FLOW_RUN_BYTES };

    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (parts[i] == TW_FLOW_RUN_ACKS && row->n_duplicates == 0)
            continue;
        tw_string_truncate(to, 0);
        tw_flow_run(to, row, parts[i]);
        if (to->len <= room)
            return;
    }
    tw_string_printf(to, "%u, %s", row->n, tw_byte_size(row->bytes).text);
}

static void draw_arrow(const struct lines *l, const struct tw_flow_row *row)
{
    enum tw_tone tone = tw_flow_tone(row);
    unsigned room = ends_of(l, row).room;
    g_autoptr(tw_string) text = tw_string_new(NULL);

    if (row->kind == TW_FLOW_RUN)
        run_label(row, room, text);
    else
        frame_label(row->first, room, text);
    frame_and_time(l, row->first);
    arrow(l, row, text->str, tone);
    tw_string_truncate(text, 0);
    tw_flow_note(text, l->source, row, l->columns);
    note(l, tone, text->str);
}

static void gap_line(const struct lines *l, const char *text, enum tw_tone tone, const char *beside)
{
    unsigned inside = l->right - l->left - 1, width;
    g_autoptr(tw_string) fitted = tw_string_new(NULL);
    char broken[8] = { 0 };

    tw_text_begin(fitted, text, inside, l->page->ascii);
    width = tw_text_width(fitted->str, l->page->ascii);
    g_unichar_to_utf8(glyphs_of(l)->broken, broken);
    tw_layout_tab(l->page, l->left);
    tw_layout_put(l->page, TW_TONE_QUIET, broken);
    tw_layout_tab(l->page, l->left + 1 + (inside - width) / 2);
    tw_layout_put(l->page, tone, fitted->str);
    tw_layout_tab(l->page, l->right);
    tw_layout_put(l->page, TW_TONE_QUIET, broken);
    note(l, tone, beside);
}

/* Its length and its cause; the part that is the cause's only where there is room for it. */
static void gap_words(const struct lines *l, const struct tw_flow_row *row, tw_string *to)
{
    const char *name = row->span ? tcpwhy_cause_info(row->span->cause)->name : "";
    g_autoptr(tw_string) part = tw_string_new(NULL);

    tw_flow_gap_part(part, row);
    tw_string_append_printf(to, "%s ms", tw_ms(row->last->time_ns - row->first->time_ns, 3).text);
    if (to->len + part->len + 1 + strlen(name) < l->right - l->left)
        tw_string_append(to, part->str);
    if (row->span)
        tw_string_append_printf(to, " %s", name);
}

static void draw_gap(const struct lines *l, const struct tw_flow_row *row)
{
    tcpwhy_ns ns = row->last->time_ns - row->first->time_ns;
    enum tw_tone tone = row->span ? tw_text_cause_tone(row->span->cause) : TW_TONE_WARN;
    bool tall = ns >= (l->flow->to_ns - l->flow->from_ns) / TALL_GAP_PART;
    g_autoptr(tw_string) text = tw_string_new(NULL), beside = tw_string_new(NULL);

    gap_words(l, row, text);
    tw_flow_gap(beside, l->source, row, l->columns);
    if (tall)
        gap_line(l, "", tone, "");
    gap_line(l, text->str, tone, beside->str);
    if (tall)
        gap_line(l, "", tone, "");
}

static void draw_cut(const struct lines *l, const struct tw_flow_row *row)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text, "%s: --frames %u-%u",
                            tw_plural(row->n, "more frame", "more frames").text, row->first->frame,
                            row->last->frame);
    gap_line(l, text->str, TW_TONE_NOTE, "");
}

/* A name begins at its rail; the right one of two ends there. */
static void name(const struct lines *l, unsigned i, unsigned room, const char *text)
{
    g_autoptr(tw_string) fitted = tw_string_new(NULL);
    unsigned at = l->left + rail(l, i);

    tw_text_fit(fitted, text, room, l->page->ascii);
    if (i == 1 && n_rails(l) == 2)
        at -= tw_text_width(fitted->str, l->page->ascii) - 1;
    tw_layout_tab(l->page, at);
    tw_layout_put(l->page, TW_TONE_STRONG, fitted->str);
}

/* One stream has its server's name in the title. */
static void server_names(const struct lines *l, unsigned room)
{
    bool any = false;

    for (unsigned i = 0; i < l->columns->host->len; i++) {
        const char *server = tw_flow_column_server(l->columns, i);

        if (server)
            name(l, i, room, server);
        any |= server != NULL;
    }
    if (any)
        tw_layout_end_line(l->page);
}

/* Names above the rails. */
static void head(const struct lines *l)
{
    char address[TCPWHY_ENDPOINT_TEXT];
    unsigned room = n_rails(l) == 2 ? (l->right - l->left) / 2 - 1 : rail(l, 1) - 1;

    right_aligned(l, l->frame_width, "frame");
    right_aligned(l, l->left - GAP, "ms");
    for (unsigned i = 0; i < l->columns->host->len; i++)
        name(l, i, room, tw_flow_column_name(l->columns, i, address));
    tw_layout_end_line(l->page);
    if (l->columns->together)
        server_names(l, room);
}

static void draw_row(const struct lines *l, const struct tw_flow_row *row)
{
    static void (*const draw[])(const struct lines *, const struct tw_flow_row *) = {
        [TW_FLOW_FRAME] = draw_arrow,
        [TW_FLOW_RUN] = draw_arrow,
        [TW_FLOW_GAP] = draw_gap,
        [TW_FLOW_CUT] = draw_cut,
    };

    draw[row->kind](l, row);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void title(struct tw_layout *page, const struct tw_flow_source *source, uint32_t n,
                  const struct tw_flow *flow)
{
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_flow_title(text, source, n, flow);
    tw_layout_paragraph(page, 0, flow->n_frames > 0 ? TW_TONE_STRONG : TW_TONE_WARN, text->str);
}

static void draw(struct tw_layout *page, const struct tw_flow_source *source, uint32_t n,
                 const struct tw_flow *flow)
{
    struct tw_flow_columns columns;
    struct lines l = { .page = page, .source = source, .flow = flow, .columns = &columns };

    title(page, source, n, flow);
    if (flow->n_frames == 0)
        return;
    tw_flow_columns_build(source, n, flow, lay_out(&l), &columns);
    tw_layout_end_line(page);
    head(&l);
    for (guint i = 0; i < flow->rows->len && !page->out->stopped; i++)
        draw_row(&l, &tw_array_index(flow->rows, struct tw_flow_row, i));
    tw_flow_columns_clear(&columns);
}

static void each_apart(const struct tw_request *request, const struct tw_flow_source *source,
                       uint32_t n, struct tw_layout *page)
{
    for (uint32_t i = 0; i < n && !page->out->stopped; i++) {
        struct tw_flow flow;

        if (i > 0)
            tw_layout_end_line(page);
        tw_flow_build(source[i].stream, source[i].log, &request->flow, &flow);
        draw(page, &source[i], 1, &flow);
        tw_flow_clear(&flow);
    }
}

static void text(const struct tw_request *request, struct tw_layout *page)
{
    struct tw_flow_source *source;
    uint32_t n = tw_flow_sources(request->report, &source);
    struct tw_flow flow;

    if (n == 0) {
        tw_layout_line(page, TW_TONE_WARN, tw_flow_none(request->report));
    } else if (request->flow.together) {
        tw_flow_build_together(source, n, &request->flow, &flow);
        draw(page, source, n, &flow);
        tw_flow_clear(&flow);
    } else {
        each_apart(request, source, n, page);
    }
    tw_free(source);
}

const struct tw_renderer tw_renderer_flow = {
    .document = TCPWHY_DOC_FLOW,
    .command = "flow",
    .text = text,
    .json = tw_flow_json,
    .lines = tw_flow_json_lines,
    .write = { [TCPWHY_FORMAT_SVG] = tw_flow_svg },
};
