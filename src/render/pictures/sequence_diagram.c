/* SPDX-License-Identifier: MIT */
/*
 *      frame      ms      client                     server
 *         36   0.000        |------ seq 1 ... --------->|      data
 *                           ||  42.6 ms  Nagle waits   ||      server, likely
 */
#include "render/pictures/sequence_diagram.h"

#include <string.h>

#include "render/pictures/sequence_diagram_row.h"
#include "base/number.h"
#include "render/writers/text.h"

#define HEAD_HEIGHT TW_PX(46)
#define FOOT_HEIGHT TW_PX(12)
#define MARGIN      TW_PX(20)

/* Where the first column stands, how far apart two are, and the room right of the last. */
#define LEFT         TW_PX(176)
#define TIME_LETTERS 11
#define TWO_APART    TW_PX(536)
#define MIN_APART    TW_PX(190)
#define RIGHT        TW_PX(288)

static int apart(const struct tw_flow_columns *columns)
{
    int n = (int)columns->host->len;

    return n > 2 ? MAX(TWO_APART / (n - 1), MIN_APART) : TWO_APART;
}

/* Milliseconds of more than a quarter of an hour want more room than others. */
static int left(const struct tw_flow *flow)
{
    char text[TW_NUMBER_TEXT];
    int letters = (int)strlen(tw_number_ms(flow->to_ns - flow->from_ns, 3, text));

    return LEFT + MAX(letters - TIME_LETTERS, 0) * TW_SVG_MONO;
}

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns)
{
    return left(flow) + (MAX((int)columns->host->len, 2) - 1) * apart(columns) + RIGHT;
}

int tw_sequence_diagram_x(const struct tw_sequence_diagram *l, uint32_t i)
{
    return left(l->flow) + (int)i * apart(l->columns);
}

int tw_sequence_diagram_time(const struct tw_sequence_diagram *l)
{
    return left(l->flow) - TW_PX(26);
}

int tw_sequence_diagram_left(const struct tw_sequence_diagram *l)
{
    return tw_sequence_diagram_x(l, 0);
}

int tw_sequence_diagram_right(const struct tw_sequence_diagram *l)
{
    return tw_sequence_diagram_x(l, MAX(l->columns->host->len, 2) - 1);
}

static const struct tw_flow_row *row_at(const struct tw_flow *flow, guint i)
{
    return &g_array_index(flow->rows, struct tw_flow_row, i);
}

int tw_sequence_diagram_height(const struct tw_flow *flow)
{
    int height = HEAD_HEIGHT + FOOT_HEIGHT;

    for (guint i = 0; i < flow->rows->len; i++)
        height += tw_sequence_diagram_row_height(flow, row_at(flow, i));
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
    GString *fitted = g_string_new(NULL);
    char name[TCPWHY_ENDPOINT_TEXT];
    int width, x;

    tw_flow_column_name(l->columns, i, name);
    tw_text_fit(fitted, name, fits, false);
    width = (int)tw_text_width(fitted->str, false) * TW_SVG_MONO + TW_PX(16);
    x = CLAMP(tw_sequence_diagram_x(l, i) - width / 2, MARGIN, l->width - MARGIN - width);
    tw_svg_group(l->svg, "", name);
    tw_svg_rect(l->svg, "box", x, l->y + TW_PX(6), width, TW_PX(24), NULL);
    tw_svg_text(l->svg, "m b mid", x + width / 2, l->y + TW_PX(22), fitted->str);
    tw_svg_close(l->svg);
    g_string_free(fitted, TRUE);
}

void tw_sequence_diagram_draw(struct tw_sequence_diagram *l)
{
    int bottom = l->y + tw_sequence_diagram_height(l->flow);
    uint32_t n = l->columns->host->len;

    for (uint32_t i = 0; i < n; i++)
        tw_svg_line(l->svg, "rail", tw_sequence_diagram_x(l, i), l->y + TW_PX(30),
                    tw_sequence_diagram_x(l, i), bottom);
    tw_svg_text(l->svg, "q s e", TW_SEQUENCE_DIAGRAM_FRAME, l->y + TW_PX(42), "frame");
    tw_svg_text(l->svg, "q s e", tw_sequence_diagram_time(l), l->y + TW_PX(42), "ms");
    for (uint32_t i = 0; i < n; i++)
        head(l, i);
    l->y += HEAD_HEIGHT;
    for (guint i = 0; i < l->flow->rows->len && !l->svg->out->stopped; i++)
        tw_sequence_diagram_row(l, row_at(l->flow, i));
    l->y = bottom;
}
