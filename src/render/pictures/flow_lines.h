/* SPDX-License-Identifier: MIT */
/* The rows of a flow graph as lines of text. */
#ifndef TW_RENDER_PICTURES_FLOW_LINES_H
#define TW_RENDER_PICTURES_FLOW_LINES_H

#include "render/writers/terminal_layout.h"
#include "report/flow/flow_columns.h"

/* Columns that far apart hold an IPv4 address and a blank. */
#define TW_FLOW_MIN_SPACE 17

struct tw_flow_lines {
    struct tw_layout *page;
    const struct tw_flow_source *source;
    const struct tw_flow *flow;
    const struct tw_flow_columns *columns;
    unsigned frame_width, left, right; /* where the outermost rails stand */
};

/* Set where things stand, for the page and flow that are set. @return how many columns fit. */
unsigned tw_flow_lines_lay_out(struct tw_flow_lines *lines);

/* Names above the rails. */
void tw_flow_lines_head(const struct tw_flow_lines *lines);
void tw_flow_lines_row(const struct tw_flow_lines *lines, const struct tw_flow_row *row);

#endif
