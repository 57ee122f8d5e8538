/* SPDX-License-Identifier: MIT */
/* A stretch of time in columns of a picture, each of the cause that has most of it. */
#ifndef TW_REPORT_SERIES_CAUSE_COLUMNS_H
#define TW_REPORT_SERIES_CAUSE_COLUMNS_H

#include "base/array.h"
#include "report/report_rows.h"

/* Columns [from, to) are of one cause. */
struct tw_cause_piece {
    uint32_t from, to;
    enum tcpwhy_cause cause;
    tcpwhy_ns from_ns, to_ns; /* their times */
};

/* An array of struct tw_cause_piece from left to right, released by the caller; where the stream
 * was not alive there is none. */
tw_array *tw_cause_columns(const struct tw_stream_row *stream, tcpwhy_ns from_ns, tcpwhy_ns to_ns,
                           uint32_t columns);

#endif
