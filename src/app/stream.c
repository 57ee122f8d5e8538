/* SPDX-License-Identifier: MIT */
#include "app/stream.h"

#include <string.h>

#include "base/array.h"

/* Limits of data behind a hole, beyond which the oldest hole is given up. 4 MiB exceeds the
 * default receive window of common systems; the count bounds the cost of tiny segments. */
#define MAX_HELD_BYTES  (4u << 20)
#define MAX_HELD_CHUNKS 4096

struct chunk {
    int64_t from, to; /* on the wire */
    size_t len;       /* captured bytes, at most to - from */
    uint8_t bytes[];
};

void tw_stream_init(struct tw_stream *stream, tw_piece_fn sink, void *user)
{
    *stream = (struct tw_stream) { .sink = sink, .user = user, .next = TW_STREAM_UNSET };
}

static void hand_on_gap(struct tw_stream *stream, int64_t to, bool cut)
{
    struct tw_piece piece;

    if (to <= stream->next)
        return;
    piece = (struct tw_piece) { .from = stream->next, .to = to, .gap = true, .cut = cut };
    stream->next = to;
    stream->sink(stream->user, &piece);
}

/* Deliver the new part of [from, to); from is not beyond next. */
static void hand_on(struct tw_stream *stream, int64_t from, int64_t to, struct tw_bytes bytes)
{
    struct tw_piece piece = { .from = stream->next };

    if (to <= stream->next)
        return;
    piece.bytes = tw_bytes_from(bytes, (size_t)(stream->next - from));
    if (piece.bytes.len > 0) {
        piece.to = piece.from + (int64_t)piece.bytes.len;
        stream->next = piece.to;
        stream->sink(stream->user, &piece);
    }
    hand_on_gap(stream, to, true);
}

static struct chunk *first_held(const struct tw_stream *stream)
{
    return stream->held && stream->held->len > 0 ? stream->held->pdata[0] : NULL;
}

static void release(struct tw_stream *stream)
{
    guint n = 0;

    while (n < stream->held->len) {
        const struct chunk *c = stream->held->pdata[n];

        if (c->from > stream->next)
            break;
        hand_on(stream, c->from, c->to, tw_bytes(c->bytes, c->len));
        stream->held_bytes -= c->len;
        n++;
    }
    if (n > 0)
        tw_ptr_array_remove_range(stream->held, 0, n);
}

static void give_up_hole(struct tw_stream *stream)
{
    hand_on_gap(stream, first_held(stream)->from, false);
    release(stream);
}

static void skip_acknowledged(struct tw_stream *stream)
{
    while (first_held(stream) && stream->acked >= first_held(stream)->from)
        give_up_hole(stream);
}

/* Insertion index of a chunk: after those with the same offset. */
static guint place_of(const tw_ptr_array *held, int64_t from)
{
    guint low = 0, high = held->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (((const struct chunk *)held->pdata[middle])->from <= from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void hold(struct tw_stream *stream, int64_t from, int64_t to, struct tw_bytes bytes)
{
    guint at;
    struct chunk *c;

    if (!stream->held)
        stream->held = tw_ptr_array_new_with_free_func(tw_free);
    at = place_of(stream->held, from);
    if (at > 0 && ((const struct chunk *)stream->held->pdata[at - 1])->to >= to)
        return;
    c = tw_malloc(sizeof *c + bytes.len);
    *c = (struct chunk) { .from = from, .to = to, .len = bytes.len };
    if (bytes.len > 0)
        memcpy(c->bytes, bytes.data, bytes.len);
    tw_ptr_array_insert(stream->held, (gint)at, c);
    stream->held_bytes += bytes.len;
    while (first_held(stream) &&
           (stream->held_bytes > MAX_HELD_BYTES || stream->held->len > MAX_HELD_CHUNKS))
        give_up_hole(stream);
}

void tw_stream_push(struct tw_stream *stream, int64_t from, uint32_t len, struct tw_bytes bytes)
{
    bytes = tw_bytes_first(bytes, len);
    if (len == 0)
        return;
    if (stream->next == TW_STREAM_UNSET)
        stream->next = from;
    if (from > stream->next) {
        hold(stream, from, from + len, bytes);
        skip_acknowledged(stream);
    } else {
        hand_on(stream, from, from + len, bytes);
        if (stream->held)
            release(stream);
    }
}

void tw_stream_ack(struct tw_stream *stream, int64_t ack)
{
    if (ack <= stream->acked)
        return;
    stream->acked = ack;
    skip_acknowledged(stream);
}

void tw_stream_flush(struct tw_stream *stream)
{
    while (first_held(stream))
        give_up_hole(stream);
}

void tw_stream_clear(struct tw_stream *stream)
{
    if (stream->held)
        tw_ptr_array_unref(stream->held);
    stream->held = NULL;
    stream->held_bytes = 0;
}
