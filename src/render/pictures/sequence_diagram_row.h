/* SPDX-License-Identifier: MIT */
/* One row of a ladder. */
#ifndef TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_ROW_H
#define TW_RENDER_PICTURES_SEQUENCE_DIAGRAM_ROW_H

#include "render/pictures/sequence_diagram_layout.h"

/* Right edge of the numbers of frames. */
#define TW_SEQUENCE_DIAGRAM_FRAME TW_PX(60)

int tw_sequence_diagram_row_height(const struct tw_flow *flow, const struct tw_flow_row *row);
/* Draw it at y and advance y. */
void tw_sequence_diagram_row(struct tw_sequence_diagram *diagram, const struct tw_flow_row *row);

#endif
