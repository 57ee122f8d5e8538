/* SPDX-License-Identifier: MIT */
/*
 *      frame      ms      client                     server
 *         36   0.000        |------ seq 1 ... --------->|      data
 *                           ||  42.6 ms  Nagle waits   ||      server, likely
 */
#include "render/pictures/sequence_diagram.h"

#include "base/array.h"
#include "base/text.h"
#include "render/pictures/sequence_diagram_row.h"
#include "render/writers/text.h"

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
    unsigned fits = (unsigned)(tw_sequence_diagram_apart(l->columns) - TW_PX(20)) / TW_SVG_MONO;
    g_autoptr(tw_string) fitted = tw_string_new(NULL), name = tw_string_new(NULL);
    const char *server = tw_flow_column_server(l->columns, i);
    char address[TCPWHY_ENDPOINT_TEXT];
    int width, x;

    tw_string_append(name, tw_flow_column_name(l->columns, i, address));
    if (server)
        tw_string_append_printf(name, " (%s)", server);
    tw_text_fit(fitted, name->str, fits, false);
    width = (int)tw_text_width(fitted->str, false) * TW_SVG_MONO + TW_PX(16);
    x = CLAMP(tw_sequence_diagram_x(l, i) - width / 2, MARGIN, l->width - MARGIN - width);
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
