/* SPDX-License-Identifier: MIT */
/*
 * One direction's payload put in order: what fits is handed on at once and without a copy, what is
 * ahead waits, what never comes is handed on as a gap. Works on 64-bit offsets.
 */
#ifndef TW_APP_STREAM_H
#define TW_APP_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/bytes.h"

#define TW_STREAM_UNSET INT64_MIN

/* A stretch [from, to) of a direction, right behind the one before it. */
struct tw_piece {
    int64_t from, to;
    struct tw_bytes bytes; /* to - from bytes; none in a gap */
    bool gap;              /* the capture does not hold these bytes ... */
    bool cut;              /* ... because the snap length cut their frame, not for a lost frame */
};

/* Must not touch the stream. */
typedef void (*tw_piece_fn)(void *user, const struct tw_piece *piece);

struct tw_stream {
    tw_piece_fn sink;
    void *user;
    int64_t next;    /* offset that fits; TW_STREAM_UNSET: whatever comes first */
    int64_t acked;   /* by the other side */
    GPtrArray *held; /* what is ahead, by offset; NULL while nothing ever was */
    size_t held_bytes;
};

void tw_stream_init(struct tw_stream *stream, tw_piece_fn sink, void *user);

/* Payload at from: len bytes on the wire, of which the capture holds the first. */
void tw_stream_push(struct tw_stream *stream, int64_t from, uint32_t len, struct tw_bytes bytes);

/* The other side has everything below ack: a hole there is missing from the capture, not late. Of
 * interest while bytes are held, and before a push. */
void tw_stream_ack(struct tw_stream *stream, int64_t ack);

/* The connection is over: hand on what waits, holes as gaps. */
void tw_stream_flush(struct tw_stream *stream);

void tw_stream_clear(struct tw_stream *stream);

#endif
