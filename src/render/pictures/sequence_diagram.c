/* SPDX-License-Identifier: MIT */
/*
 *      frame      ms      client                     server
 *         36   0.000        |------ seq 1 ... --------->|      data
 *                           ||  42.6 ms  Nagle waits   ||      server, likely
 */
#include "render/pictures/sequence_diagram.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "render/view/flow_words.h"
#include "render/view/view.h"
#include "render/writers/text.h"

/* ---- where columns stand --------------------------------------------------------------------- */

/* Where the first column stands, how far apart two are, and the room right of the last. */
#define LEFT         TW_PX(176)
#define TIME_LETTERS 11
#define TWO_APART    TW_PX(536)
#define MIN_APART    TW_PX(190)
#define RIGHT        TW_PX(288)

/* Between two columns. */
static int apart(const struct tw_flow_columns *columns)
{
    int n = (int)columns->host->len;

    return n > 2 ? MAX(TWO_APART / (n - 1), MIN_APART) : TWO_APART;
}

/* Milliseconds of more than a quarter of an hour want more room than others. */
static int first_column(const struct tw_flow *flow)
{
    int letters = (int)strlen(tw_ms(flow->to_ns - flow->from_ns, 3).text);

    return LEFT + MAX(letters - TIME_LETTERS, 0) * TW_SVG_MONO;
}

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns)
{
    return first_column(flow) + (MAX((int)columns->host->len, 2) - 1) * apart(columns) + RIGHT;
}

/* Where column i stands, and the outermost two. */
static int x_of(const struct tw_sequence_diagram *l, uint32_t i)
{
    return first_column(l->flow) + (int)i * apart(l->columns);
}

/* Right edge of the times left of the first column. */
static int times_end(const struct tw_sequence_diagram *l)
{
    return first_column(l->flow) - TW_PX(26);
}

static int left_of(const struct tw_sequence_diagram *l)
{
    return x_of(l, 0);
}

static int right_of(const struct tw_sequence_diagram *l)
{
    return x_of(l, MAX(l->columns->host->len, 2) - 1);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Right edge of the numbers of frames. */
#define FRAMES_END TW_PX(60)

#define FRAME_HEIGHT TW_PX(33)
#define RUN_HEIGHT   TW_PX(42)
#define CUT_HEIGHT   TW_PX(34)

/* A silence is as much taller as it is longer, within what a page can hold. */
#define GAP_HEIGHT  TW_PX(34)
#define GAP_STRETCH 900

/* Of several streams none may have been open. */
#define NO_SPAN "between connections"

#define ARROW_Y TW_PX(23)
#define HEAD    TW_PX(9)
#define SELF    TW_PX(90)

static tcpwhy_ns length_of(const struct tw_flow_row *row)
{
    return row->last->time_ns - row->first->time_ns;
}

static int row_height(const struct tw_flow *flow, const struct tw_flow_row *row)
{
    tcpwhy_ns shown_ns = MAX(flow->to_ns - flow->from_ns, 1);

    switch (row->kind) {
    case TW_FLOW_RUN:
        return RUN_HEIGHT;
    case TW_FLOW_GAP:
        return GAP_HEIGHT +
               (int)(CLAMP((double)length_of(row) / (double)shown_ns, 0, 1) * GAP_STRETCH);
    case TW_FLOW_CUT:
        return CUT_HEIGHT;
    default:
        return FRAME_HEIGHT;
    }
}

static void frame_and_time(const struct tw_sequence_diagram *l, const struct tw_record *r, int y,
                           const char *classes)
{
    tw_svg_text(l->svg, classes, FRAMES_END, y, tw_plain(r->frame).text);
    tw_svg_text(l->svg, classes, times_end(l), y, tw_ms(r->time_ns - l->flow->from_ns, 3).text);
}

static void note(const struct tw_sequence_diagram *l, const char *classes, int y, const char *text)
{
    int x = right_of(l) + TW_PX(18);
    g_autoptr(tw_string) fitted = tw_string_new(NULL);

    tw_text_fit(fitted, text, (unsigned)(l->width - x - TW_PX(6)) / TW_SVG_SANS, false);
    tw_svg_text(l->svg, classes, x, y, fitted->str);
}

static void numbers_of(tw_string *to, const struct tw_record *r)
{
    tw_string_append_printf(to, "%s  seq %" G_GINT64_FORMAT, tw_flags(r->flags).text, r->seq);
    if (r->flags & TW_ACK)
        tw_string_append_printf(to, "  ack %" G_GINT64_FORMAT, r->ack);
    if (r->len > 0)
        tw_string_append_printf(to, "  len %u", r->len);
    if (tw_record_knows_window(r))
        tw_string_append_printf(to, "  win %u", r->window_bytes);
}

static void sack_of(tw_string *to, const struct tw_log *log, const struct tw_record *r)
{
    for (uint32_t i = 0; i < r->n_sack && r->sack + i < log->n_sack; i++)
        tw_string_append_printf(to, "%s%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                                i == 0 ? "  SACK " : ", ", log->sack[r->sack + i].from,
                                log->sack[r->sack + i].to);
}

/* The tooltip of an arrow: all fields, with both ends. */
static void arrow_title(const struct tw_sequence_diagram *l, const struct tw_flow_row *row,
                        tw_string *to)
{
    const struct tw_stream_row *s = l->source[row->source].stream;
    bool by_client = row->first->from == TCPWHY_CLIENT;

    if (row->kind == TW_FLOW_RUN)
        tw_string_append_printf(to, "frames %u to %u: ", row->first->frame, row->last->frame);
    else
        tw_string_append_printf(to, "frame %u: ", row->first->frame);
    tw_flow_note(to, l->source, row, l->columns);
    tw_string_append_printf(to, "\n%s \u2192 %s (stream %u)\n",
                            tw_endpoint(by_client ? &s->client : &s->server).text,
                            tw_endpoint(by_client ? &s->server : &s->client).text, s->stream);
    if (row->kind == TW_FLOW_RUN) {
        tw_flow_run(to, row, TW_FLOW_RUN_ALL);
    } else {
        numbers_of(to, row->first);
        sack_of(to, l->source[row->source].log, row->first);
    }
    tw_string_append_printf(to, "\nat %s ms",
                            tw_ms(row->first->time_ns - l->flow->from_ns, 3).text);
    if (row->kind == TW_FLOW_RUN)
        tw_string_append_printf(to, " to %s ms",
                                tw_ms(row->last->time_ns - l->flow->from_ns, 3).text);
}

static void arrow_line(const struct tw_sequence_diagram *l, int from, int to)
{
    int y = l->y + ARROW_Y, back = from < to ? -HEAD : HEAD;

    tw_svg_line(l->svg, "a", from, y, to + back, y);
    tw_svg_point(l->svg, "<path class=\"head\" d=\"M", to, y);
    tw_svg_to(l->svg, "l", back);
    tw_writer_text(l->svg, " -4.5v9z\"/>\n");
}

/* Above the arrow, in its middle; where that is narrow the text may pass the columns beside it. */
static void arrow_label(const struct tw_sequence_diagram *l, int from, int to, const char *text)
{
    int half = (int)tw_text_width(text, false) * TW_SVG_MONO / 2;
    int least = left_of(l) + half + TW_PX(4);
    int most = right_of(l) - half - TW_PX(4);
    int x = least > most ? (least + most) / 2 : CLAMP((from + to) / 2, least, most);

    /* No rail shall run through the letters. */
    if (l->columns->host->len > 2)
        tw_svg_rect(l->svg, "ground", x - half, l->y + ARROW_Y - TW_PX(17), 2 * half, TW_PX(13),
                    NULL);
    tw_svg_text(l->svg, "m mid", x, l->y + ARROW_Y - TW_PX(7), text);
}

/* Classes of svg_style.c: how much a reader should care. */
static const char *const tones[TW_N_TONES] = { [TW_TONE_PLAIN] = "plain",
                                               [TW_TONE_QUIET] = "quiet",
                                               [TW_TONE_WARN] = "warn",
                                               [TW_TONE_BAD] = "bad" };

static void arrow(struct tw_sequence_diagram *l, const struct tw_flow_row *row, const char *label)
{
    bool run = row->kind == TW_FLOW_RUN;
    const uint32_t *ends = l->columns->of[row->source];
    int from = x_of(l, ends[row->first->from]);
    int to = x_of(l, ends[!row->first->from]);
    g_autoptr(tw_string) text = tw_string_new(NULL);
    char classes[32];

    /* Two hosts that share the last column: the arrow comes from its left. */
    if (from == to)
        from -= SELF;
    arrow_title(l, row, text);
    snprintf(classes, sizeof(classes), run ? "%s fold" : "%s", tones[tw_flow_tone(row)]);
    tw_svg_group(l->svg, classes, text->str);
    arrow_line(l, from, to);
    arrow_label(l, from, to, label);
    frame_and_time(l, row->first, l->y + ARROW_Y + TW_PX(run ? -3 : 4), "m e");
    if (run)
        frame_and_time(l, row->last, l->y + ARROW_Y + TW_PX(12), "m e q");
    tw_string_truncate(text, 0);
    tw_flow_note(text, l->source, row, l->columns);
    note(l, "k", l->y + ARROW_Y + TW_PX(4), text->str);
    tw_svg_close(l->svg);
}

static void draw_frame(struct tw_sequence_diagram *l, const struct tw_flow_row *row)
{
    g_autoptr(tw_string) label = tw_string_new(NULL);

    numbers_of(label, row->first);
    arrow(l, row, label->str);
}

static void draw_run(struct tw_sequence_diagram *l, const struct tw_flow_row *row)
{
    g_autoptr(tw_string) label = tw_string_new(NULL);

    tw_flow_run(label, row, TW_FLOW_RUN_ALL);
    arrow(l, row, label->str);
}

static void gap_text(const struct tw_sequence_diagram *l, const struct tw_flow_row *row, int middle)
{
    int x = (left_of(l) + right_of(l)) / 2;
    const char *title = row->span ? tcpwhy_cause_info(row->span->cause)->title : NO_SPAN;
    g_autoptr(tw_string) part = tw_string_new(NULL);

    tw_flow_gap_part(part, row);
    tw_writer_text(l->svg, "<text class=\"mid\"");
    tw_svg_attribute(l->svg, "x", x);
    tw_svg_attribute(l->svg, "y", middle);
    tw_writer_printf(l->svg, "><tspan class=\"k\">%s ms%s</tspan>\u2002",
                     tw_ms(length_of(row), 3).text, part->str);
    tw_writer_escaped(l->svg, title);
    tw_writer_text(l->svg, "</text>\n");
}

static void draw_gap(struct tw_sequence_diagram *l, const struct tw_flow_row *row)
{
    enum tcpwhy_cause cause = row->span ? row->span->cause : TCPWHY_CAUSE_NONE;
    int height = row_height(l->flow, row) - TW_PX(10), y = l->y + TW_PX(6);
    int left = left_of(l), right = right_of(l);
    int middle = y + height / 2 + TW_PX(4);
    g_autoptr(tw_string) words = tw_string_new(NULL);
    struct tw_short_text edge = tw_cause_class("edge", cause);

    tw_string_append_printf(words, "%s ms: %s", tw_ms(length_of(row), 6).text,
                            row->span ? tcpwhy_cause_info(cause)->what : NO_SPAN);
    tw_svg_group(l->svg, "gap", words->str);
    tw_string_truncate(words, 0);
    tw_svg_rect(l->svg, tw_cause_class("tint", cause).text, left, y, right - left, height, NULL);
    tw_svg_rect(l->svg, edge.text, left, y, TW_PX(7), height, NULL);
    tw_svg_rect(l->svg, edge.text, right - TW_PX(7), y, TW_PX(7), height, NULL);
    gap_text(l, row, middle);
    tw_flow_gap(words, l->source, row, l->columns);
    note(l, "", middle, words->str);
    tw_svg_close(l->svg);
}

static void draw_cut(struct tw_sequence_diagram *l, const struct tw_flow_row *row)
{
    int left = left_of(l), right = right_of(l);
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text, "%s not drawn (%u\xe2\x80\x93%u)",
                            tw_plural(row->n, "frame", "frames").text, row->first->frame,
                            row->last->frame);
    tw_svg_line(l->svg, "cut", left, l->y + TW_PX(10), right, l->y + TW_PX(10));
    tw_svg_text(l->svg, "q mid", (left + right) / 2, l->y + TW_PX(26), text->str);
}

static void draw_row(struct tw_sequence_diagram *l, const struct tw_flow_row *row)
{
    static void (*const draw[])(struct tw_sequence_diagram *, const struct tw_flow_row *) = {
        [TW_FLOW_FRAME] = draw_frame,
        [TW_FLOW_RUN] = draw_run,
        [TW_FLOW_GAP] = draw_gap,
        [TW_FLOW_CUT] = draw_cut,
    };

    draw[row->kind](l, row);
    l->y += row_height(l->flow, row);
}

/* ---- the whole ------------------------------------------------------------------------------- */

#define HEAD_HEIGHT TW_PX(46)
#define FOOT_HEIGHT TW_PX(12)
#define MARGIN      TW_PX(20)

static const struct tw_flow_row *row_at(const struct tw_flow *flow, guint i)
{
    return &tw_array_index(flow->rows, struct tw_flow_row, i);
}

int tw_sequence_diagram_height(const struct tw_flow *flow)
{
    int height = HEAD_HEIGHT + FOOT_HEIGHT;

    for (guint i = 0; i < flow->rows->len; i++)
        height += row_height(flow, row_at(flow, i));
    return height;
}

tw_cause_set tw_sequence_diagram_causes(const struct tw_flow *flow)
{
    tw_cause_set causes = 0;

    for (guint i = 0; i < flow->rows->len; i++) {
        const struct tw_flow_row *row = row_at(flow, i);

        if (row->kind == TW_FLOW_GAP)
            causes |= tw_cause_bit(row->span ? row->span->cause : TCPWHY_CAUSE_NONE);
    }
    return causes;
}

static void head(const struct tw_sequence_diagram *l, uint32_t i)
{
    unsigned fits = (unsigned)(apart(l->columns) - TW_PX(20)) / TW_SVG_MONO;
    g_autoptr(tw_string) fitted = tw_string_new(NULL), name = tw_string_new(NULL);
    const char *server = tw_flow_column_server(l->columns, i);
    char address[TCPWHY_ENDPOINT_TEXT];
    int width, x;

    tw_string_append(name, tw_flow_column_name(l->columns, i, address));
    if (server)
        tw_string_append_printf(name, " (%s)", server);
    tw_text_fit(fitted, name->str, fits, false);
    width = (int)tw_text_width(fitted->str, false) * TW_SVG_MONO + TW_PX(16);
    x = CLAMP(x_of(l, i) - width / 2, MARGIN, l->width - MARGIN - width);
    tw_svg_group(l->svg, "", name->str);
    tw_svg_rect(l->svg, "box", x, l->y + TW_PX(6), width, TW_PX(24), NULL);
    tw_svg_text(l->svg, "m b mid", x + width / 2, l->y + TW_PX(22), fitted->str);
    tw_svg_close(l->svg);
}

void tw_sequence_diagram_draw(struct tw_sequence_diagram *l)
{
    int bottom = l->y + tw_sequence_diagram_height(l->flow);
    uint32_t n = l->columns->host->len;

    for (uint32_t i = 0; i < n; i++)
        tw_svg_line(l->svg, "rail", x_of(l, i), l->y + TW_PX(30), x_of(l, i), bottom);
    tw_svg_text(l->svg, "q s e", FRAMES_END, l->y + TW_PX(42), "frame");
    tw_svg_text(l->svg, "q s e", times_end(l), l->y + TW_PX(42), "ms");
    for (uint32_t i = 0; i < n; i++)
        head(l, i);
    l->y += HEAD_HEIGHT;
    for (guint i = 0; i < l->flow->rows->len && !l->svg->stopped; i++)
        draw_row(l, row_at(l->flow, i));
    l->y = bottom;
}
