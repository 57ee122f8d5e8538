/* SPDX-License-Identifier: MIT */
/*
 *      frame      ms      client                     server
 *         36   0.000        |------ seq 1 ... --------->|      data
 *                           ||  42.6 ms  Nagle waits   ||      server, likely
 */
#include "render/ladder.h"

#include "render/flow_words.h"
#include "render/ladder_row.h"
#include "render/text.h"

#define HEAD_HEIGHT TW_PX(46)
#define FOOT_HEIGHT TW_PX(12)

static const struct tw_flow_row *row_at(const struct tw_flow *flow, guint i)
{
    return &g_array_index(flow->rows, struct tw_flow_row, i);
}

int tw_ladder_height(const struct tw_flow *flow)
{
    int height = HEAD_HEIGHT + FOOT_HEIGHT;

    for (guint i = 0; i < flow->rows->len; i++)
        height += tw_ladder_row_height(flow, row_at(flow, i));
    return height;
}

tw_cause_set tw_ladder_causes(const struct tw_flow *flow)
{
    tw_cause_set causes = 0;

    for (guint i = 0; i < flow->rows->len; i++) {
        const struct tw_flow_row *row = row_at(flow, i);

        if (row->kind == TW_FLOW_GAP)
            causes |= tw_cause_bit(row->span ? row->span->cause : TCPWHY_UNKNOWN);
    }
    return causes;
}

static void head(const struct tw_ladder *l, const struct tw_ladder_column *c)
{
    int room = l->n_columns > 1 ? l->column[1].x - l->column[0].x - TW_PX(10) : TW_PX(300);
    unsigned fits = l->n_columns > 2 ? (unsigned)(room - TW_PX(16)) / TW_SVG_MONO : 60;
    GString *name = g_string_new(NULL);
    int width, x;

    tw_text_fit(name, c->name, fits, false);
    width = (int)tw_text_width(name->str, false) * TW_SVG_MONO + TW_PX(16);
    x = CLAMP(c->x - width / 2, TW_PX(4), l->width - TW_PX(4) - width);
    tw_svg_group(l->svg, "", c->name);
    tw_svg_rect(l->svg, "box", x, l->y + TW_PX(6), width, TW_PX(24), NULL);
    tw_svg_text(l->svg, "m b mid", x + width / 2, l->y + TW_PX(22), name->str);
    tw_svg_close(l->svg);
    g_string_free(name, TRUE);
}

void tw_ladder_draw(struct tw_ladder *l)
{
    int bottom = l->y + tw_ladder_height(l->flow);

    for (uint32_t i = 0; i < l->n_columns; i++)
        tw_svg_line(l->svg, "rail", l->column[i].x, l->y + TW_PX(30), l->column[i].x, bottom);
    tw_svg_text(l->svg, "q s e", TW_LADDER_FRAME, l->y + TW_PX(42), "frame");
    tw_svg_text(l->svg, "q s e", TW_LADDER_TIME, l->y + TW_PX(42), "ms");
    for (uint32_t i = 0; i < l->n_columns; i++)
        head(l, &l->column[i]);
    l->y += HEAD_HEIGHT;
    for (guint i = 0; i < l->flow->rows->len && !l->svg->out->stopped; i++)
        tw_ladder_row(l, row_at(l->flow, i));
    l->y = bottom;
}
