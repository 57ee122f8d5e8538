/* SPDX-License-Identifier: MIT */
/*
 * A frame in the formats that have a file of their own; tshark's names for what it found at one.
 */
#ifndef TW_RENDER_VIEW_SEGMENT_H
#define TW_RENDER_VIEW_SEGMENT_H

#include "render/renderer.h"

struct tw_segment_label {
    enum tcpwhy_ws_flag flag;
    const char *name; /* tcp.analysis.NAME */
};

/* In tshark's order of fields. */
#define TW_SEGMENT_LABELS 15
extern const struct tw_segment_label tw_segment_labels[TW_SEGMENT_LABELS];

void tw_segment_csv(const struct tw_request *request, struct tw_writer *out);
void tw_segment_json(const struct tw_request *request, struct tw_json *json);
void tw_segment_script(const struct tw_request *request, struct tw_writer *out);
void tw_segment_text(const struct tw_request *request, struct tw_layout *page);

#endif
