/* SPDX-License-Identifier: MIT */
/* The flow graph of one stream as a picture inside an HTML page. */
#ifndef TW_RENDER_PICTURES_FLOW_SVG_H
#define TW_RENDER_PICTURES_FLOW_SVG_H

#include "render/writers/writer.h"
#include "report/flow/flow.h"

void tw_flow_svg_in_html(const struct tw_flow_source *source,
                         const struct tcpwhy_flow_options *options, struct tw_writer *out);

#endif
