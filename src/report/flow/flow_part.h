/* SPDX-License-Identifier: MIT */
/*
 * The part of a stream that a flow graph shows.
 */
#ifndef TW_REPORT_FLOW_FLOW_PART_H
#define TW_REPORT_FLOW_FLOW_PART_H

#include "report/flow/flow_row.h"

/* "whole", "asked", "exchange", "span". Static storage. */
const char *tw_flow_part_name(enum tw_flow_part part);

/* Set part, exchange, first and end. */
void tw_flow_choose_part(const struct tw_stream_row *stream, const struct tw_log *log,
                         const struct tcpwhy_flow_options *options, struct tw_flow *flow);

/* Show the frames around the longest interval of the stream's verdict instead, if there is one. */
bool tw_flow_choose_span(const struct tw_stream_row *stream, const struct tw_log *log,
                         struct tw_flow *flow);

/* Do the options name times or frames, and is this one of them? */
bool tw_flow_asks(const struct tcpwhy_flow_options *options);
bool tw_flow_is_asked_for(const struct tw_record *record,
                          const struct tcpwhy_flow_options *options);

/* Index of the first span that ends after a time; n_spans when there is none. */
size_t tw_flow_first_span(const struct tw_stream_row *stream, tcpwhy_ns after_ns);

/* Is this silence of the kind that the verdict on its stream names? */
bool tw_flow_is_verdict(const struct tw_flow_source *source, uint32_t of,
                        const struct tcpwhy_span *span);

/* Is this time that somebody lost, rather than what had to be? */
bool tw_flow_is_lost(enum tcpwhy_cause cause);

#endif
