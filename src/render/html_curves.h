/* SPDX-License-Identifier: MIT */
/* The graphs of a stream and the causes behind them, packed for a page's script. */
#ifndef TW_RENDER_HTML_CURVES_H
#define TW_RENDER_HTML_CURVES_H

#include "render/json.h"
#include "report/flow.h"

struct tw_packed_graphs;

/* All graphs of a stream, thinned until they take at most about max_bytes. */
struct tw_packed_graphs *tw_html_curves_pack(const struct tw_flow_source *source, size_t max_bytes);
size_t tw_html_curves_size(const struct tw_packed_graphs *packed);
void tw_html_curves_free(struct tw_packed_graphs *packed);

/* "graphs" and "bands" as members of the object that is open. */
void tw_html_curves(struct tw_json *json, const struct tw_packed_graphs *packed);

/* "graphs" and "roles": the words that they refer to, once a page. */
void tw_html_curve_words(struct tw_json *json);

#endif
