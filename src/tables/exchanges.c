/* SPDX-License-Identifier: MIT */
/* Table of exchanges: requests with responses, with times at the client. */
#include "tables/put.h"

#define COLUMNS(X)                                                                                 \
    X(text, REQUIRED, capture_id, row->capture->id, "see captures")                                \
    X(int, REQUIRED, stream, s->stream, "see connections")                                         \
    X(int, REQUIRED, exchange, (int64_t)row->j, "index in its connection, from 0")                 \
    X(text, REQUIRED, protocol, e->protocol, "as http, http2, tls; turn: separated by turns only") \
    X(text, NULLABLE, request, e->request[0] ? e->request : NULL,                                  \
      "as 'GET /index.html'; untrusted data")                                                      \
    X(nonzero, NULLABLE, status, e->status, "of the response, if the protocol has one")            \
    X(bool, REQUIRED, complete, e->complete, "the response ended within the capture")              \
    X(time, NULLABLE, start_utc_ns, tw_utc_ns(row->report, e->start_ns),                           \
      "first byte of the request, at the client")                                                  \
    X(ms, NULLABLE, first_byte_ms, e->first_byte_ns, "to the first byte of the response")          \
    X(ms, NULLABLE, total_ms, e->total_ns, "to the last byte of the response")                     \
    X(int, REQUIRED, request_bytes, (int64_t)e->request_bytes, "")                                 \
    X(int, REQUIRED, response_bytes, (int64_t)e->response_bytes, "")                               \
    X(nonzero, NULLABLE, request_frame, e->request_frame, "number in the capture, from 1")         \
    X(nonzero, NULLABLE, request_last_frame, e->request_last_frame, "")                            \
    X(nonzero, NULLABLE, response_frame, e->response_frame, "")                                    \
    X(nonzero, NULLABLE, response_last_frame, e->response_last_frame, "")                          \
    X(text, NULLABLE, detail, e->detail[0] ? e->detail : NULL,                                     \
      "what the protocol says besides, as how it failed; untrusted data")                          \
    X(nonzero, NULLABLE, http2_stream, e->http2_stream, "identifier in HTTP/2")                    \
    X(int, REQUIRED, request_messages, e->request_messages, "of gRPC")                             \
    X(int, REQUIRED, response_messages, e->response_messages,                                      \
      "of gRPC; rows of PostgreSQL; events that came with the head of their stream")               \
    X(ms, NULLABLE, window_wait_ms, e->window_wait_ns,                                             \
      "the response waited for HTTP/2's flow control of its stream, or a request of SMB 2 for "    \
      "credits")

static void put_row(const struct tw_row *row, struct tw_put *put)
{
    const struct tw_stream_row *s = tw_row_stream(row);
    const struct tcpwhy_exchange *e = &s->exchanges[row->j];

    COLUMNS(TW_PUT)
}

static size_t count(const struct tw_row *row)
{
    return tw_row_stream(row)->n_exchanges;
}

static const struct tw_column columns[] = { COLUMNS(TW_COLUMN) };

const struct tw_table tw_table_exchanges = {
    .name = "exchanges",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .of_streams = true,
    .count = count,
    .put = put_row,
};
