/* SPDX-License-Identifier: MIT */
/*
 * HTTP/2 without TLS, by prior knowledge or after Upgrade, and inside of what is decrypted: takes
 * frames apart (RFC 9113, section 4). DATA is counted, not read; a hole in it is no harm, and after
 * others a segment that begins with a frame header finds the way back.
 */
#include <string.h>

#include "base/array.h"
#include "app/http2.h"
#include "app/line_way.h"
#include "app/protocol.h"

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
#define PREFACE_LEN (sizeof preface - 1)

/* Common servers accept header blocks of up to 64 KiB. */
#define MAX_BLOCK (128 * 1024)

/* Payload of other frames to keep: settings are few. */
#define MAX_CONTROL 1024

/* Frame types with a registration end here (PRIORITY_UPDATE, RFC 9218); greased ones are 0xb + 31 n
 * (RFC 8701). */
#define LAST_TYPE 0x10

/* Section 6.5.2: frames are no longer than this unless the receiver allows it. */
#define MAX_FRAME 16384

struct way {
    struct tw_http2_frame frame; /* the current one ... */
    uint32_t left;               /* ... and its bytes to come */
    uint32_t preface_left;
    tw_byte_array *kept;         /* its payload; NULL until needed */
    tw_byte_array *block;        /* header block of earlier frames */
    struct tw_http2_frame opens; /* frame that began the block */
    uint8_t head[TW_HTTP2_HEADER];
    uint8_t head_len;
    bool in_block;
    bool lost; /* a gap hides the frame boundaries */
};

struct state {
    struct tw_http2 http2;
    struct way way[2];
};

/* Context of one direction. */
struct work {
    struct state *state;
    struct tw_transactions *transactions;
    struct way *way;
    int index;
};

/* ---- recognition ----------------------------------------------------------------------------- */

static struct tw_http2_frame parse(struct tw_bytes b)
{
    return (struct tw_http2_frame) {
        .len = tw_be32(b, 0) >> 8,
        .type = tw_u8(b, 3),
        .flags = tw_u8(b, 4),
        .id = tw_be32(b, 5) & 0x7fffffff,
    };
}

/* Section 6: lengths, flags and stream identifiers that each type asks for. */
static bool is_valid(const struct tw_http2_frame *f)
{
    switch (f->type) {
    case TW_HTTP2_DATA:
    case TW_HTTP2_HEADERS:
    case TW_HTTP2_PUSH_PROMISE:
    case TW_HTTP2_CONTINUATION:
        return f->id != 0;
    case TW_HTTP2_PRIORITY:
        return f->id != 0 && f->len == 5;
    case TW_HTTP2_RST_STREAM:
        return f->id != 0 && f->len == 4;
    case TW_HTTP2_SETTINGS:
        return f->id == 0 && f->len % 6 == 0 && (!(f->flags & TW_HTTP2_ACK) || f->len == 0);
    case TW_HTTP2_PING:
        return f->id == 0 && f->len == 8;
    case TW_HTTP2_GOAWAY:
        return f->id == 0 && f->len >= 8;
    case TW_HTTP2_WINDOW_UPDATE:
        return f->len == 4;
    default:
        return f->type <= LAST_TYPE || (f->type - 0xb) % 31 == 0;
    }
}

/* A complete request or response begins with an indexed pseudo-header of the static table (RFC
 * 7541, appendix A), or of the dynamic one. */
static enum tw_guess guess_headers(const struct tw_http2_frame *f, struct tw_bytes first)
{
    size_t at = TW_HTTP2_HEADER + (f->flags & TW_HTTP2_PADDED ? 1 : 0) +
                (f->flags & TW_HTTP2_HAS_PRIO ? 5 : 0);
    uint8_t field = tw_u8(first, at);

    if (!(f->flags & TW_HTTP2_END_HEADERS) || f->flags & ~0x2d || !(f->id & 1))
        return TW_GUESS_NO;
    if (first.len <= at)
        return TW_GUESS_MORE;
    if (field >= 0x82 && field <= 0x87)
        return TW_GUESS_ASKER;
    if (field >= 0x88 && field <= 0x8e)
        return TW_GUESS_ANSWERER;
    return field >= 0xbe ? TW_GUESS_EITHER : TW_GUESS_NO;
}

/* Types whose header alone is telling. */
static enum tw_guess guess_frame(struct tw_bytes first)
{
    struct tw_http2_frame f = parse(first);

    if (tw_u8(first, 0) != 0 || (first.len > 3 && f.type > TW_HTTP2_WINDOW_UPDATE))
        return TW_GUESS_NO;
    if (first.len < TW_HTTP2_HEADER)
        return TW_GUESS_MORE;
    if (f.len > MAX_FRAME || !is_valid(&f) || tw_u8(first, 5) & 0x80)
        return TW_GUESS_NO;
    switch (f.type) {
    case TW_HTTP2_HEADERS:
        return guess_headers(&f, first);
    case TW_HTTP2_SETTINGS:
        if (f.flags > TW_HTTP2_ACK)
            return TW_GUESS_NO;
        if (f.len > 0 && first.len < TW_HTTP2_HEADER + 2)
            return TW_GUESS_MORE;
        return f.len == 0 || (tw_be16(first, 9) >= 1 && tw_be16(first, 9) <= LAST_TYPE)
                   ? TW_GUESS_EITHER
                   : TW_GUESS_NO;
    case TW_HTTP2_PING:
        return f.flags <= TW_HTTP2_ACK ? TW_GUESS_EITHER : TW_GUESS_NO;
    case TW_HTTP2_WINDOW_UPDATE:
        if (first.len < TW_HTTP2_HEADER + 4)
            return f.flags ? TW_GUESS_NO : TW_GUESS_MORE;
        return f.flags == 0 && tw_be32(first, 9) > 0 && tw_be32(first, 9) <= 0x7fffffff
                   ? TW_GUESS_EITHER
                   : TW_GUESS_NO;
    default:
        return TW_GUESS_NO;
    }
}

static enum tw_guess guess(struct tw_bytes first)
{
    size_t n = MIN(first.len, PREFACE_LEN);

    if (n == 0)
        return TW_GUESS_MORE;
    if (memcmp(first.data, preface, n) == 0)
        return n == PREFACE_LEN ? TW_GUESS_ASKER : TW_GUESS_MORE;
    return guess_frame(first);
}

/* After a gap, data and headers of a stream that may be open are telling, too. */
static bool resumes(const struct work *w, struct tw_bytes first)
{
    struct tw_http2_frame f = parse(first);
    enum tw_guess g = guess_frame(first);

    if (g != TW_GUESS_NO && g != TW_GUESS_MORE)
        return true;
    return first.len >= TW_HTTP2_HEADER && f.len <= MAX_FRAME &&
           ((f.type == TW_HTTP2_DATA && !(f.flags & ~0x09)) ||
            (f.type == TW_HTTP2_HEADERS && !(f.flags & ~0x2d))) &&
           tw_http2_expects(&w->state->http2, w->index, f.id);
}

/* ---- frames ---------------------------------------------------------------------------------- */

static enum tcpwhy_side speaker(const struct work *w)
{
    return w->index == 0 ? w->transactions->asker : !w->transactions->asker;
}

/* It is not HTTP/2, or no more: turns from here on. */
static void leave(const struct work *w, int64_t at)
{
    tw_transactions_give_up(w->transactions, w->index == 0, at);
}

static void begin_data(const struct work *w)
{
    struct way *way = w->way;
    struct tw_http2_stream *stream = tw_http2_data(&w->state->http2, w->index, &way->frame);

    if (stream && stream->grpc && way->frame.flags & TW_HTTP2_PADDED)
        tw_grpc_lose(stream, w->index);
    if (!stream || !stream->grpc)
        tw_transactions_pass_over(w->transactions, speaker(w), way->frame.to);
}

static void begin_frame(const struct work *w, int64_t at)
{
    struct way *way = w->way;
    bool keeps;

    way->frame = parse(tw_bytes(way->head, sizeof way->head));
    way->frame.from = at - TW_HTTP2_HEADER;
    way->frame.to = at + way->frame.len;
    way->left = way->frame.len;
    keeps = way->frame.type == TW_HTTP2_HEADERS || way->frame.type == TW_HTTP2_PUSH_PROMISE ||
            way->frame.type == TW_HTTP2_CONTINUATION;
    if (!is_valid(&way->frame) || (keeps && way->frame.len > MAX_BLOCK)) {
        leave(w, way->frame.from);
        return;
    }
    if (way->kept)
        tw_byte_array_set_size(way->kept, 0);
    if (way->frame.type == TW_HTTP2_DATA)
        begin_data(w);
}

/* Without padding, priority and promised stream (sections 6.2 and 6.6). */
static struct tw_bytes fragment(struct tw_http2_frame *frame, struct tw_bytes payload)
{
    size_t pad = 0;

    if (frame->type == TW_HTTP2_CONTINUATION)
        return payload;
    if (frame->flags & TW_HTTP2_PADDED) {
        pad = tw_u8(payload, 0);
        payload = tw_bytes_from(payload, 1);
    }
    if (frame->type == TW_HTTP2_PUSH_PROMISE) {
        frame->id = tw_be32(payload, 0) & 0x7fffffff;
        payload = tw_bytes_from(payload, 4);
    } else if (frame->flags & TW_HTTP2_HAS_PRIO) {
        payload = tw_bytes_from(payload, 5);
    }
    return tw_bytes_first(payload, payload.len - MIN(pad, payload.len));
}

static void end_block(const struct work *w, const struct tw_http2_frame *opens,
                      struct tw_bytes block)
{
    uint32_t id = opens->id;

    tw_http2_headers(&w->state->http2, w->index, opens, w->way->frame.to, block);
    if (opens->type == TW_HTTP2_HEADERS && opens->flags & TW_HTTP2_END_STREAM)
        tw_http2_end_stream(&w->state->http2, w->index, id);
}

static void headers(const struct work *w, struct tw_bytes payload)
{
    struct way *way = w->way;
    struct tw_http2_frame frame = way->frame;
    struct tw_bytes part = fragment(&frame, payload);
    bool goes_on = frame.type == TW_HTTP2_CONTINUATION;

    if (goes_on != way->in_block)
        return; /* its begin is missing, or a block is not ended */
    if (!goes_on && frame.flags & TW_HTTP2_END_HEADERS) {
        end_block(w, &frame, part);
        return;
    }
    if (!way->block)
        way->block = tw_byte_array_new();
    if (!goes_on) {
        way->opens = frame;
        tw_byte_array_set_size(way->block, 0);
    }
    if (way->block->len + part.len > MAX_BLOCK) {
        leave(w, way->frame.from);
        return;
    }
    if (part.len > 0)
        tw_byte_array_append(way->block, part.data, (guint)part.len);
    way->in_block = !(frame.flags & TW_HTTP2_END_HEADERS);
    if (!way->in_block)
        end_block(w, &way->opens, tw_bytes(way->block->data, way->block->len));
}

static void end_frame(const struct work *w, struct tw_bytes payload)
{
    const struct tw_http2_frame *f = &w->way->frame;

    w->way->head_len = 0;
    if (f->type == TW_HTTP2_HEADERS || f->type == TW_HTTP2_PUSH_PROMISE ||
        f->type == TW_HTTP2_CONTINUATION)
        headers(w, payload);
    else if (f->type == TW_HTTP2_DATA && f->flags & TW_HTTP2_END_STREAM)
        tw_http2_end_stream(&w->state->http2, w->index, f->id);
    else if (f->type != TW_HTTP2_DATA)
        tw_http2_control(&w->state->http2, w->index, f, payload);
}

static size_t room(const struct way *way)
{
    bool block = way->frame.type == TW_HTTP2_HEADERS || way->frame.type == TW_HTTP2_PUSH_PROMISE ||
                 way->frame.type == TW_HTTP2_CONTINUATION;
    size_t most = block ? MAX_BLOCK : MAX_CONTROL, has = way->kept ? way->kept->len : 0;

    return has < most ? most - has : 0;
}

/* A frame's payload; that of DATA is not kept. */
static void take_payload(const struct work *w, struct tw_bytes part)
{
    struct way *way = w->way;
    bool whole = way->left == part.len && way->frame.len == part.len;
    struct tw_bytes kept;

    way->left -= (uint32_t)part.len;
    if (way->frame.type == TW_HTTP2_DATA) {
        struct tw_http2_stream *stream = tw_http2_find(&w->state->http2, way->frame.id);

        if (stream && stream->untyped && w->index == 0)
            tw_grpc_find(&w->state->http2, stream, &way->frame, part);
        if (stream && stream->grpc)
            tw_grpc_take(&w->state->http2, w->index, stream, part);
    } else if (!whole) {
        kept = tw_bytes_first(part, room(way));
        if (!way->kept)
            way->kept = tw_byte_array_new();
        if (kept.len > 0)
            tw_byte_array_append(way->kept, kept.data, (guint)kept.len);
    }
    if (way->left > 0)
        return;
    if (way->frame.type != TW_HTTP2_DATA && !whole)
        part = tw_bytes(way->kept->data, way->kept->len);
    end_frame(w, part);
}

/* Segments within DATA were passed over, up to this offset. */
static void catch_up(struct way *way, int64_t at)
{
    if (way->frame.type == TW_HTTP2_DATA)
        way->left = (uint32_t)CLAMP(way->frame.to - at, 0, (int64_t)way->left);
}

static struct tw_bytes take_preface(const struct work *w, struct tw_bytes rest)
{
    struct tw_bytes part;

    if (w->way->preface_left == PREFACE_LEN && tw_u8(rest, 0) != (uint8_t)preface[0])
        w->way->preface_left = 0;
    part = tw_bytes_first(rest, w->way->preface_left);
    w->way->preface_left -= (uint32_t)part.len;
    return tw_bytes_from(rest, part.len);
}

static void take(const struct work *w, struct tw_bytes rest, int64_t to)
{
    struct way *way = w->way;

    rest = take_preface(w, rest);
    while (rest.len > 0 && !w->transactions->opaque) {
        struct tw_bytes part;

        if (way->head_len == TW_HTTP2_HEADER) {
            catch_up(way, to - (int64_t)rest.len);
            part = tw_bytes_first(rest, way->left);
            rest = tw_bytes_from(rest, part.len);
            take_payload(w, part);
            continue;
        }
        part = tw_bytes_first(rest, (size_t)(TW_HTTP2_HEADER - way->head_len));
        memcpy(way->head + way->head_len, part.data, part.len);
        way->head_len = (uint8_t)(way->head_len + part.len);
        rest = tw_bytes_from(rest, part.len);
        if (way->head_len < TW_HTTP2_HEADER)
            return;
        begin_frame(w, to - (int64_t)rest.len);
        if (way->left == 0 && !w->transactions->opaque)
            take_payload(w, tw_bytes_first(rest, 0));
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static void lose(const struct work *w)
{
    struct way *way = w->way;

    way->lost = true;
    way->head_len = 0;
    way->in_block = false;
    way->preface_left = 0;
    tw_http2_lose(&w->state->http2, w->index);
}

static void take_gap(const struct work *w, const struct tw_piece *gap)
{
    struct way *way = w->way;
    int64_t len = gap->to - gap->from;
    struct tw_http2_stream *stream;

    catch_up(way, gap->from);
    if (way->head_len < TW_HTTP2_HEADER || way->frame.type != TW_HTTP2_DATA || way->left < len) {
        lose(w);
        return;
    }
    stream = tw_http2_find(&w->state->http2, way->frame.id);
    if (stream)
        tw_grpc_lose(stream, w->index);
    way->left -= (uint32_t)len;
    if (way->left == 0)
        end_frame(w, tw_bytes(NULL, 0));
}

/* The client's first bytes are the preface; the server's are SETTINGS, and so are those of a
 * capture that has only them. */
static void begin(const struct work *w, const struct tw_piece *p)
{
    struct tw_http2_frame f = parse(p->bytes);
    bool opens = tw_u8(p->bytes, 0) == (uint8_t)preface[0] ||
                 (f.type == TW_HTTP2_SETTINGS && !(f.flags & TW_HTTP2_ACK)) ||
                 w->transactions->switch_answer != TW_NO_EXCHANGE;

    tw_http2_begin(&w->state->http2, w->transactions, opens && !p->gap);
    if (w->state->http2.begun)
        w->state->way[0].preface_left = PREFACE_LEN;
}

/* The answer is HTTP/1: its server does not know the preface (RFC 9113, 3.4). */
static bool is_refused(const struct work *w, const struct tw_piece *p)
{
    struct tw_bytes rest = p->bytes, line;

    if (p->gap || w->index == 0 || !tw_line_begins(p->bytes, "HTTP/1.") ||
        !tw_lines_take_whole(&rest, &line))
        return false;
    tw_transactions_part(w->transactions, tw_bytes(NULL, 0), line);
    return true;
}

static void piece(void *user, struct tw_transactions *transactions, bool asks,
                  const struct tw_piece *p)
{
    struct state *state = user;
    struct work w = { state, transactions, &state->way[!asks], !asks };

    if (!state->http2.streams)
        begin(&w, p);
    if (is_refused(&w, p)) {
        w.way->lost = true;
        return;
    }
    if (p->gap) {
        take_gap(&w, p);
        return;
    }
    if (w.way->lost && !resumes(&w, p->bytes))
        return;
    w.way->lost = false;
    take(&w, p->bytes, p->to);
}

static void clear(void *user)
{
    struct state *state = user;

    tw_http2_end(&state->http2);
    for (int i = 0; i < 2; i++) {
        if (state->way[i].kept)
            tw_byte_array_unref(state->way[i].kept);
        if (state->way[i].block)
            tw_byte_array_unref(state->way[i].block);
    }
}

G_STATIC_ASSERT(sizeof(struct state) <= TW_PROTOCOL_STATE);

const struct tw_app_protocol tw_app_protocol_http2 = {
    .name = "http2",
    .state_size = sizeof(struct state),
    .guess = guess,
    .piece = piece,
    .clear = clear,
};
