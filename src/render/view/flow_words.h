/* SPDX-License-Identifier: MIT */
/*
 * The words of a flow graph, whatever it is drawn as.
 */
#ifndef TW_RENDER_VIEW_FLOW_WORDS_H
#define TW_RENDER_VIEW_FLOW_WORDS_H

#include <stdint.h>

#include "base/short_text.h"
#include "base/text.h"
#include "render/writers/terminal_layout.h"
#include "report/flow/flow_columns.h"

/* "SYN,ACK"; "-" without any. */
struct tw_short_text tw_flags(uint16_t flags);

/* tshark's labels of a frame, in its order of fields. */
struct tw_ws_label {
    enum tcpwhy_ws_flag flag;
    const char *name; /* tcp.analysis.NAME */
};

#define TW_WS_LABELS 15
extern const struct tw_ws_label tw_ws_labels[TW_WS_LABELS];

/* The class of a frame or a run: "data", "duplicate ACK #2", "window update". */
void tw_flow_what(tw_string *to, const struct tw_flow_row *row);
/* How much a reader should care: plain, quiet, warn or bad. */
enum tw_tone tw_flow_tone(const struct tw_flow_row *row);
/* The label of an arrow: the class, the request or status that begins with it, and with several
 * streams the stream. */
void tw_flow_note(tw_string *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                  const struct tw_flow_columns *columns);
/* The part of a gap that its cause has (", 80.000 ms of it"), if others have more than a tenth. */
void tw_flow_gap_part(tw_string *to, const struct tw_flow_row *row);
/* The label of a gap: owner, confidence, and with several streams the stream. */
void tw_flow_gap(tw_string *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                 const struct tw_flow_columns *columns);
/* Parts of the label of a run. */
enum tw_flow_run_part {
    TW_FLOW_RUN_BYTES = 1,
    TW_FLOW_RUN_ACKS = 2,
    TW_FLOW_RUN_NUMBERS = 4, /* of duplicate ACKs */
    TW_FLOW_RUN_ALL = 7,
};

/* "12 segments, 17,376 bytes, 6 ACKs"; "8 segments, 11,584 bytes, 8 duplicate ACKs #2-#9" */
void tw_flow_run(tw_string *to, const struct tw_flow_row *row, unsigned parts);

/* Of a report from which no graph can be drawn: why. Static storage. */
const char *tw_flow_none(const tcpwhy_report *report);

/* "Stream 1", or "12 streams", and what of it is shown. */
void tw_flow_title(tw_string *to, const struct tw_flow_source *source, uint32_t n,
                   const struct tw_flow *flow);

#endif
