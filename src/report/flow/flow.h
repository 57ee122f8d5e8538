/* SPDX-License-Identifier: MIT */
/*
 * The rows of a flow graph: which part of a stream to show, where silence is long enough to be
 * drawn, and which runs of alike segments fold into one row; of several streams at once, their
 * frames in one order with a column for each host. Drawing is the renderer's.
 */
#ifndef TW_REPORT_FLOW_FLOW_H
#define TW_REPORT_FLOW_FLOW_H

#include "base/memory.h"
#include "report/flow/flow_row.h"

/* The streams whose logs were kept; *out is released by tw_free(). @return their number. */
uint32_t tw_flow_sources(const tcpwhy_report *report, struct tw_flow_source **out);

/* A stream whose log was kept and is not empty; false when there is none. */
bool tw_flow_find(const tcpwhy_report *report, uint32_t stream, struct tw_flow_source *out);

/* The flow graph of one stream. */
void tw_flow_build(const struct tw_stream_row *stream, const struct tw_log *log,
                   const struct tcpwhy_flow_options *options, struct tw_flow *out);
/* The whole stream in about max_rows rows, whatever its length; omitted silences are noted. */
void tw_flow_build_digest(const struct tw_stream_row *stream, const struct tw_log *log,
                          uint32_t max_rows, struct tw_flow *out);
/* Several streams in one: everything, or what the options ask for. */
void tw_flow_build_together(const struct tw_flow_source *source, uint32_t n,
                            const struct tcpwhy_flow_options *options, struct tw_flow *out);
void tw_flow_clear(struct tw_flow *flow);

#endif
