/* SPDX-License-Identifier: MIT */
/*
 * The weighing of a connection's gaps: as text, as JSON, and in parts for a page.
 */
#ifndef TW_RENDER_VIEW_WHY_H
#define TW_RENDER_VIEW_WHY_H

#include "base/text.h"
#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"
#include "report/report_rows.h"

/* Nothing where no weighings were kept. */
void tw_text_why(struct tw_layout *page, const struct tw_stream_row *stream);
/* As the member "why" of the object that is open. */
void tw_json_why(struct tw_json *json, const struct tw_stream_row *stream);

/* One gap: its ends, and its verdict, appended. */
void tw_why_heading(tw_string *text, const struct tw_weighing *weighing);
void tw_why_verdict(tw_string *text, const struct tcpwhy_weighing *gap);
/* The table of the causes that are not refuted, as members "heads" and "rows" of the object that is
 * open. */
void tw_json_why_rows(struct tw_json *json, const struct tw_weighing *weighing);

#endif
