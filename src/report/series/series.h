/* SPDX-License-Identifier: MIT */
/*
 * Time series of one direction of a stream, computed from its log. Drawing is the renderer's.
 */
#ifndef TW_REPORT_SERIES_SERIES_H
#define TW_REPORT_SERIES_SERIES_H

#include "log/log.h"
#include "report/series/curve.h"

/* The series of a graph. Bytes, but bits a second for throughput and nanoseconds for rtt. */
void tw_series_build(const struct tw_stream_row *stream, const struct tw_log *log,
                     enum tcpwhy_graph graph, const struct tcpwhy_graph_options *options,
                     struct tw_series *out);
void tw_series_clear(struct tw_series *series);

/* Lowest and highest value of all points; false when there is none. */
bool tw_series_range(const struct tw_series *series, int64_t *low, int64_t *high);

#endif
