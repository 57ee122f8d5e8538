/* SPDX-License-Identifier: MIT */
/*
 * A flow graph as SVG: a column for each end, time downwards, an arrow for each frame or folded
 * run, a band in the colour of its cause for each silence.
 */
#ifndef TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_H
#define TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_H

#include "render/writers/svg.h"
#include "report/flow/flow_columns.h"

struct tw_sequence_diagram {
    struct tw_svg *svg;
    const struct tw_flow_source *source;
    const struct tw_flow *flow;
    const struct tw_flow_columns *columns;
    int width; /* of the whole picture */
    int y;     /* where the next row begins */
};

/* More hosts than this share the last column. */
#define TW_SEQUENCE_DIAGRAM_MAX_COLUMNS 24

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns);
int tw_sequence_diagram_height(const struct tw_flow *flow);

/* Right edge of the times left of the first column. */
int tw_sequence_diagram_time(const struct tw_sequence_diagram *diagram);
/* Where column i stands, and the outermost two. */
int tw_sequence_diagram_x(const struct tw_sequence_diagram *diagram, uint32_t i);
int tw_sequence_diagram_left(const struct tw_sequence_diagram *diagram);
int tw_sequence_diagram_right(const struct tw_sequence_diagram *diagram);

/* Draw the columns' heads, the rows, and move y behind them. */
void tw_sequence_diagram_draw(struct tw_sequence_diagram *diagram);

/* The causes of its gaps. */
tw_cause_set tw_sequence_diagram_causes(const struct tw_flow *flow);

#endif
