/* SPDX-License-Identifier: MIT */
/* A flow graph as SVG: where its columns stand. */
#ifndef TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_LAYOUT_H
#define TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_LAYOUT_H

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

int tw_sequence_diagram_width(const struct tw_flow *flow, const struct tw_flow_columns *columns);
/* Between two columns. */
int tw_sequence_diagram_apart(const struct tw_flow_columns *columns);

/* Right edge of the times left of the first column. */
int tw_sequence_diagram_time(const struct tw_sequence_diagram *diagram);
/* Where column i stands, and the outermost two. */
int tw_sequence_diagram_x(const struct tw_sequence_diagram *diagram, uint32_t i);
int tw_sequence_diagram_left(const struct tw_sequence_diagram *diagram);
int tw_sequence_diagram_right(const struct tw_sequence_diagram *diagram);

#endif
