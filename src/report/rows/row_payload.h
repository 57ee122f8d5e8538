/* SPDX-License-Identifier: MIT */
/*
 * Blocks that hang from a row: its exchanges, with their texts behind them in one block, its spans,
 * and the weighings of its gaps. A connection that is told as over may come again thousands of
 * times: what it brings is added where there is room, and room doubles.
 */
#ifndef TW_REPORT_ROWS_ROW_PAYLOAD_H
#define TW_REPORT_ROWS_ROW_PAYLOAD_H

#include <tcpwhy/report.h>

#include "base/memory.h"
#include "report/report_rows.h"

/* A copy, or NULL of none, to be given to tw_free(). */
const struct tcpwhy_exchange *tw_exchanges_copy(const struct tcpwhy_exchange *e, size_t n);

/* Those of more behind those of row, if it keeps any. @return bytes added */
size_t tw_exchanges_add(struct tw_stream_row *row, const struct tw_stream_row *more);

/* Room for so many spans, and for those that tw_spans_add() takes to be there: to be filled in, and
 * given to tw_free(). */
struct tcpwhy_span *tw_spans_new(size_t n);

/* A copy of such. */
const struct tcpwhy_span *tw_spans_copy(const struct tcpwhy_span *spans, size_t n);

/* Those of more behind those of row; one that goes on is one. @return bytes added */
size_t tw_spans_add(struct tw_stream_row *row, const struct tw_stream_row *more);

size_t tw_weighings_bytes(const struct tw_weighings *weighings);
/* A copy, or NULL of none, to be given to tw_free(). */
struct tw_weighings *tw_weighings_copy(const struct tw_weighings *weighings);

/* Those of more that are to be kept, if row keeps any. @return bytes added */
size_t tw_weighings_add(struct tw_stream_row *row, const struct tw_stream_row *more);

#endif
