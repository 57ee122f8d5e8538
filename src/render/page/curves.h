/* SPDX-License-Identifier: MIT */
/* The graphs of a stream and the causes behind them, for a page's script. */
#ifndef TW_RENDER_PAGE_CURVES_H
#define TW_RENDER_PAGE_CURVES_H

#include "render/writers/json.h"
#include "report/flow/flow.h"

struct tw_thin_graphs;

/* All graphs of a stream, thinned until they take at most about max_length characters. */
struct tw_thin_graphs *tw_html_curves_thin(const struct tw_flow_source *source, size_t max_length);
void tw_html_curves_free(struct tw_thin_graphs *graphs);

/* "graphs" and "bands" as members of the object that is open. */
void tw_html_curves(struct tw_json *json, const struct tw_thin_graphs *graphs);

/* "graphs" and "roles": the words that they refer to, once a page. */
void tw_html_curve_words(struct tw_json *json);

#endif
