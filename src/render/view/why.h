/* SPDX-License-Identifier: MIT */
/*
 * How the causes of a connection's gaps were weighed: as text, and as JSON.
 */
#ifndef TW_RENDER_VIEW_WHY_H
#define TW_RENDER_VIEW_WHY_H

#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"
#include "report/report_rows.h"

/* Nothing where no weighings were kept. */
void tw_text_why(struct tw_layout *page, const struct tw_stream_row *stream);
/* As the member "why" of the object that is open. */
void tw_json_why(struct tw_json *json, const struct tw_stream_row *stream);

#endif
