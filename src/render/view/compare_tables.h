/* SPDX-License-Identifier: MIT */
/* The tables of a comparison. */
#ifndef TW_RENDER_VIEW_COMPARE_TABLES_H
#define TW_RENDER_VIEW_COMPARE_TABLES_H

#include <tcpwhy/compare.h>

#include "render/renderer.h"
#include "render/writers/table.h"
#include "report/compare/compare_rows.h"

/* The formats of a comparison that have a file of their own. */
void tw_compare_json(const struct tw_request *request, struct tw_json *json);
void tw_compare_html(const struct tw_request *request, struct tw_writer *out);

/* Draws a table: as text tw_table_draw(), or another that takes what a page writes to. */
typedef void tw_compare_draw(struct tw_layout *page, const struct tw_table *table);

/* Connections, requests, latencies. */
void tw_compare_measures(struct tw_layout *page, const struct tw_listener_change *listener,
                         tw_compare_draw *draw);

/* A row a cause and party. */
void tw_compare_causes_table(struct tw_layout *page, const struct tw_listener_change *listener,
                             tw_compare_draw *draw);

/* One row per listener, of the first TW_COMPARE_LISTENERS. */
#define TW_COMPARE_LISTENERS 20
void tw_compare_listeners(struct tw_layout *page, const struct tw_listener_change *listener,
                          size_t n, tw_compare_draw *draw);

#endif
