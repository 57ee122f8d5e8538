/* SPDX-License-Identifier: MIT */
/* Latencies over time, the darker the more requests. */
#ifndef TW_RENDER_PICTURES_HEAT_MAP_H
#define TW_RENDER_PICTURES_HEAT_MAP_H

#include "render/writers/json.h"
#include "render/writers/terminal_layout.h"
#include "report/figures/heat.h"

/* The columns and rows that a picture tells apart. */
#define TW_HEAT_MAP_COLUMNS 200
#define TW_HEAT_MAP_ROWS    30

void tw_heat_map_text(struct tw_layout *page, const struct tw_heat *heat);
void tw_heat_map_json(struct tw_json *json, const char *key, const struct tw_heat *heat);
void tw_heat_map_csv_head(struct tw_writer *out);
void tw_heat_map_csv(struct tw_writer *out, const struct tcpwhy_endpoint *endpoint,
                     const struct tw_heat *heat);
/* One map below the other, of those with answers. */
void tw_heat_map_svg(struct tw_writer *out, const struct tw_service *services, size_t n,
                     bool in_html);

#endif
