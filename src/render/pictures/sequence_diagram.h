/* SPDX-License-Identifier: MIT */
/*
 * A flow graph as SVG: a column for each end, time downwards, an arrow for each frame or folded
 * run, a band in the colour of its cause for each silence.
 */
#ifndef TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_H
#define TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_H

#include "render/writers/svg.h"
#include "report/flow/flow_columns.h"

/* More hosts than this share the last column. */
#define TW_SEQUENCE_DIAGRAM_MAX_COLUMNS 24

struct tw_sequence_diagram {
    struct tw_writer *svg;
    const struct tw_flow_source *source;
    const struct tw_flow *flow;
    const struct tw_flow_columns *columns;
    int width; /* of the whole picture */
    int y;     /* where the next row begins */
};

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns);
int tw_sequence_diagram_height(const struct tw_flow *flow);

/* Draw the columns' heads and the rows, and advance y. */
void tw_sequence_diagram_draw(struct tw_sequence_diagram *diagram);

/* The causes of its gaps. */
tw_cause_set tw_sequence_diagram_causes(const struct tw_flow *flow);

#endif
