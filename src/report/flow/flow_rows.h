/* SPDX-License-Identifier: MIT */
/* Frames in their order to rows of a flow graph. */
#ifndef TW_REPORT_FLOW_FLOW_ROWS_H
#define TW_REPORT_FLOW_FLOW_ROWS_H

#include "report/flow/flow_row.h"

/* A frame of one of the sources. */
struct tw_flow_event {
    const struct tw_record *record;
    uint32_t source;
};

/* Fill flow->rows, n_frames and the times. */
void tw_flow_rows(const struct tw_flow_source *source, uint32_t n_sources,
                  const struct tw_flow_event *event, uint32_t n,
                  const struct tcpwhy_flow_options *options, struct tw_flow *flow);

#endif
