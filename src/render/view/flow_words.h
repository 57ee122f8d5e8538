/* SPDX-License-Identifier: MIT */
/*
 * The words of a flow graph, whatever it is drawn as.
 */
#ifndef TW_RENDER_VIEW_FLOW_WORDS_H
#define TW_RENDER_VIEW_FLOW_WORDS_H

#include <stdint.h>

#include "report/flow/flow_columns.h"

/* Holds the names of all flags. */
#define TW_FLAGS_TEXT 48

/* "SYN,ACK"; "-" without any. */
char *tw_flags_text(uint16_t flags, char *text);

/* What a frame or a run is: "data", "duplicate ACK #2", "window update". */
void tw_flow_what(GString *to, const struct tw_flow_row *row);
/* What stands beside an arrow: the same, the request or the status that begins with it, and of
 * several streams which one. */
void tw_flow_note(GString *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                  const struct tw_flow_columns *columns);
/* What stands beside a gap: whose it is, how sure that is, and of several streams which one. */
void tw_flow_gap(GString *to, const struct tw_flow_source *source, const struct tw_flow_row *row,
                 const struct tw_flow_columns *columns);
/* What to say of a run. */
enum tw_flow_run_part {
    TW_FLOW_RUN_BYTES = 1,
    TW_FLOW_RUN_ACKS = 2,
    TW_FLOW_RUN_NUMBERS = 4, /* of duplicate ACKs */
    TW_FLOW_RUN_ALL = 7,
};

/* "12 segments, 17,376 bytes, 6 ACKs"; "8 segments, 11,584 bytes, 8 duplicate ACKs #2-#9" */
void tw_flow_run(GString *to, const struct tw_flow_row *row, unsigned parts);

/* Of a report from which no graph can be drawn: why. Static storage. */
const char *tw_flow_none(const tcpwhy_report *report);

/* "Stream 1", or "12 streams", and what of it is shown. */
void tw_flow_title(GString *to, const struct tw_flow_source *source, uint32_t n,
                   const struct tw_flow *flow);

/* "whole", "asked", "exchange", "span". Static storage. */
const char *tw_flow_part_name(enum tw_flow_part part);

#endif
