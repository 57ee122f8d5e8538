/* SPDX-License-Identifier: MIT */
/* One row of a ladder. */
#ifndef TW_RENDER_LADDER_ROW_H
#define TW_RENDER_LADDER_ROW_H

#include "render/ladder.h"

/* Right edge of the numbers of frames. */
#define TW_LADDER_FRAME TW_PX(60)

int tw_ladder_row_height(const struct tw_flow *flow, const struct tw_flow_row *row);
/* Draw it at y and move y behind it. */
void tw_ladder_row(struct tw_ladder *ladder, const struct tw_flow_row *row);

#endif
