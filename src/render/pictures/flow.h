/* SPDX-License-Identifier: MIT */
/* Flow graphs in the formats that have a file of their own. */
#ifndef TW_RENDER_PICTURES_FLOW_H
#define TW_RENDER_PICTURES_FLOW_H

#include "render/renderer.h"
#include "report/flow/flow.h"

void tw_flow_json(const struct tw_request *request, struct tw_json *json);
void tw_flow_json_lines(const struct tw_request *request, struct tw_json *json);
void tw_flow_svg(const struct tw_request *request, struct tw_writer *out);

/* The flow graph of one stream inside an HTML page. */
void tw_flow_svg_in_html(const struct tw_flow_source *source,
                         const struct tcpwhy_flow_options *options, struct tw_writer *out);

#endif
