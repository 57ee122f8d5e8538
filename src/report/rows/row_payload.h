/* SPDX-License-Identifier: MIT */
/*
 * Blocks owned by a row: its exchanges followed by their texts, its spans, and the weighings of its
 * gaps. A connection reported as over may continue thousands of times: new parts are added where
 * there is room, and room doubles.
 */
#ifndef TW_REPORT_ROWS_ROW_PAYLOAD_H
#define TW_REPORT_ROWS_ROW_PAYLOAD_H

#include <tcpwhy/report.h>

#include "base/memory.h"
#include "report/report_rows.h"

/* A copy, or NULL of none, to be given to tw_free(). */
const struct tcpwhy_exchange *tw_exchanges_copy(const struct tcpwhy_exchange *e, size_t n);

/* Append those of more to those of row, if it keeps any. @return bytes added */
size_t tw_exchanges_add(struct tw_stream_row *row, const struct tw_stream_row *more);

/* Room for n spans, and for those that tw_spans_add() expects: to be filled in and released by
 * tw_free(). */
struct tcpwhy_span *tw_spans_new(size_t n);

/* A copy of such. */
const struct tcpwhy_span *tw_spans_copy(const struct tcpwhy_span *spans, size_t n);

/* Append those of more to those of row; one that continues is joined. @return bytes added */
size_t tw_spans_add(struct tw_stream_row *row, const struct tw_stream_row *more);

size_t tw_weighings_bytes(const struct tw_weighings *weighings);
/* A copy, or NULL of none, to be given to tw_free(). */
struct tw_weighings *tw_weighings_copy(const struct tw_weighings *weighings);

/* Append the weighings of more that are to be kept, if row keeps any. @return bytes added */
size_t tw_weighings_add(struct tw_stream_row *row, const struct tw_stream_row *more);

#endif
