/* SPDX-License-Identifier: MIT */
/*
 * In-order payload of one direction: in-order data is delivered at once without a copy, data ahead
 * waits, and missing data is delivered as a gap. Uses 64-bit offsets.
 */
#ifndef TW_APP_STREAM_H
#define TW_APP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/array.h"
#include "base/bytes.h"

#define TW_STREAM_UNSET INT64_MIN

/* A stretch [from, to) of a direction, contiguous with the previous one. */
struct tw_piece {
    int64_t from, to;
    struct tw_bytes bytes; /* to - from bytes; none in a gap */
    bool gap;              /* bytes missing from the capture ... */
    bool cut;              /* ... because of the snap length, not a lost frame */
};

/* Must not modify the stream. */
typedef void (*tw_piece_fn)(void *user, const struct tw_piece *piece);

struct tw_stream {
    tw_piece_fn sink;
    void *user;
    int64_t next;       /* next offset; TW_STREAM_UNSET: start with the first payload */
    int64_t acked;      /* by the other side */
    tw_ptr_array *held; /* data ahead, by offset; NULL until needed */
    size_t held_bytes;
};

void tw_stream_init(struct tw_stream *stream, tw_piece_fn sink, void *user);

/* Payload at from: len bytes on the wire, the captured ones first. */
void tw_stream_push(struct tw_stream *stream, int64_t from, uint32_t len, struct tw_bytes bytes);

/* The other side acknowledged ack: holes below it are missing from the capture, not late. Call
 * while bytes are waiting, and before a push. */
void tw_stream_ack(struct tw_stream *stream, int64_t ack);

/* End of the connection: deliver waiting data, holes as gaps. */
void tw_stream_flush(struct tw_stream *stream);

void tw_stream_clear(struct tw_stream *stream);

#endif
