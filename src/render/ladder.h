/* SPDX-License-Identifier: MIT */
/*
 * A flow graph as SVG: a column for each end, time downwards, an arrow for each frame or folded
 * run, a band in the colour of its cause for each silence.
 */
#ifndef TW_RENDER_LADDER_H
#define TW_RENDER_LADDER_H

#include "render/svg.h"
#include "report/flow.h"

struct tw_ladder_column {
    char name[TCPWHY_ENDPOINT_TEXT];
    int x;
};

struct tw_ladder {
    struct tw_svg *svg;
    const struct tw_flow_source *source;
    const struct tw_flow *flow;
    const struct tw_ladder_column *column;
    uint32_t n_columns;
    const uint32_t (*column_of)[2]; /* of each source's client and server */
    int width;                      /* of the whole picture */
    int y;                          /* where the next row begins */
};

/* Where the first column stands, and how much room stands right of the last. */
#define TW_LADDER_LEFT  TW_PX(176)
#define TW_LADDER_RIGHT TW_PX(288)

int tw_ladder_height(const struct tw_flow *flow);

/* Draw the columns' heads, the rows, and move y behind them. */
void tw_ladder_draw(struct tw_ladder *ladder);

/* The causes of its gaps. */
tw_cause_set tw_ladder_causes(const struct tw_flow *flow);

#endif
