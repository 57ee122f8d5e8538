/* SPDX-License-Identifier: MIT */
/*
 * tshark's names for what it found at a frame.
 */
#ifndef TW_RENDER_VIEW_SEGMENT_LABELS_H
#define TW_RENDER_VIEW_SEGMENT_LABELS_H

#include <tcpwhy/segment.h>

struct tw_segment_label {
    enum tcpwhy_ws_flag flag;
    const char *name; /* tcp.analysis.NAME */
};

/* In tshark's order of fields. */
#define TW_SEGMENT_LABELS 15
extern const struct tw_segment_label tw_segment_labels[TW_SEGMENT_LABELS];

#endif
