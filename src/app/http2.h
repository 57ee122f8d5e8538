/* SPDX-License-Identifier: MIT */
/*
 * HTTP/2 (RFC 9113): the streams of a connection as exchanges. proto_http2.c takes frames apart and
 * calls this.
 */
#ifndef TW_APP_HTTP2_H
#define TW_APP_HTTP2_H

#include <glib.h>

#include "base/hash_table.h"
#include "app/flow_window.h"
#include "app/hpack.h"
#include "app/transactions.h"

/* RFC 9113, section 4.1. */
#define TW_HTTP2_HEADER 9

/* Frame types, section 6. */
enum tw_http2_type {
    TW_HTTP2_DATA,
    TW_HTTP2_HEADERS,
    TW_HTTP2_PRIORITY,
    TW_HTTP2_RST_STREAM,
    TW_HTTP2_SETTINGS,
    TW_HTTP2_PUSH_PROMISE,
    TW_HTTP2_PING,
    TW_HTTP2_GOAWAY,
    TW_HTTP2_WINDOW_UPDATE,
    TW_HTTP2_CONTINUATION,
};

#define TW_HTTP2_END_STREAM  0x01
#define TW_HTTP2_ACK         0x01
#define TW_HTTP2_END_HEADERS 0x04
#define TW_HTTP2_PADDED      0x08
#define TW_HTTP2_HAS_PRIO    0x20

struct tw_http2_frame {
    uint8_t type, flags;
    uint32_t id, len;
    int64_t from, to; /* in the stream of its sender */
};

/* Length-prefixed messages of gRPC in the DATA of one direction. */
struct tw_grpc {
    uint8_t prefix[5];
    uint8_t prefix_len;
    bool lost;
    uint64_t left; /* bytes of the message to come */
};

struct tw_http2_stream {
    uint32_t id, exchange;
    bool ended[2], responds, grpc; /* ended: by way */
    bool untyped; /* the request's content type may be in a header table that is not known */
    struct tw_flow_window window[2];
    struct tw_grpc messages[2];
};

/* Indexed by way: 0 is the asker's, 1 the answerer's. */
struct tw_http2 {
    struct tw_transactions *transactions;
    tw_hash_table *streams; /* open ones */
    uint32_t last_id;       /* of the asker's requests */
    bool begun;             /* the capture has the begin */
    bool holes[2]; /* frames are missing from the middle, with what they say of flow control */
    uint32_t missing_from, missing_to; /* ids whose requests may be missing; to: not one of them */
    bool goes[2];                      /* GOAWAY was sent */
    uint32_t initial_window[2];
    struct tw_flow_window window[2];
    tcpwhy_ns ping_ns[2];
    struct tw_hpack *hpack[2];
};

void tw_http2_begin(struct tw_http2 *http2, struct tw_transactions *transactions, bool begun);
void tw_http2_end(struct tw_http2 *http2);

/* An open stream, or NULL. */
struct tw_http2_stream *tw_http2_find(const struct tw_http2 *http2, uint32_t id);

/* After a hole: is that stream open, or may a frame of that way open it? */
bool tw_http2_expects(const struct tw_http2 *http2, int way, uint32_t id);

/* A header block (also of PUSH_PROMISE), of a frame and its CONTINUATIONs up to `to`. */
void tw_http2_headers(struct tw_http2 *http2, int way, const struct tw_http2_frame *frame,
                      int64_t to, struct tw_bytes block);

/* The header of a DATA frame; @return its stream, or NULL if that is not followed. */
struct tw_http2_stream *tw_http2_data(struct tw_http2 *http2, int way,
                                      const struct tw_http2_frame *frame);

/* Frames of that way are missing. */
void tw_http2_lose(struct tw_http2 *http2, int way);

/* The last byte of a frame with END_STREAM. */
void tw_http2_end_stream(struct tw_http2 *http2, int way, uint32_t id);

/* Payload of SETTINGS, RST_STREAM, PING, GOAWAY and WINDOW_UPDATE. */
void tw_http2_control(struct tw_http2 *http2, int way, const struct tw_http2_frame *frame,
                      struct tw_bytes payload);

/* The first DATA of a request. Where its type is not known, a gRPC message as long shows it. */
void tw_grpc_find(struct tw_http2 *http2, struct tw_http2_stream *stream,
                  const struct tw_http2_frame *frame, struct tw_bytes bytes);

/* Payload of DATA of gRPC. */
void tw_grpc_take(struct tw_http2 *http2, int way, struct tw_http2_stream *stream,
                  struct tw_bytes bytes);
void tw_grpc_lose(struct tw_http2_stream *stream, int way);

#endif
