/* SPDX-License-Identifier: MIT */
/*
 * A hand-made connection for tests of src/app: each frame goes to the log and to the bytes' taker,
 * as the engine does it. Offsets: data begins at 1. Frames are a millisecond apart.
 */
#ifndef TW_TESTS_UNIT_APP_WIRE_H
#define TW_TESTS_UNIT_APP_WIRE_H

#include <string.h>

#include "app/app.h"
#include "log/log.h"

struct wire {
    struct tw_connection connection;
    struct tw_log *log;
    struct tw_app app;
    int64_t next[2]; /* each side's next offset */
    uint32_t frame;
    bool grew; /* with the last frame */
    struct tw_exchanges exchanges;
};

struct wire_frame {
    enum tcpwhy_side from;
    uint16_t flags;
    int64_t seq, ack;
    const void *bytes;
    uint32_t len, captured;
    enum tcpwhy_class frame_class;
};

static inline void wire_push(struct wire *w, const struct wire_frame *f)
{
    struct tw_segment s = {
        .flags = f->flags,
        .len = f->len,
        .payload = tw_bytes(f->bytes, f->captured),
    };
    struct tw_tracked t = {
        .connection = &w->connection,
        .segment = &s,
        .frame = ++w->frame,
        .time_ns = TCPWHY_MS(w->frame),
        .from = f->from,
        .frame_class = f->frame_class,
        .seq = f->seq,
        .ack = f->ack,
    };
    int64_t end = f->seq + f->len + !!(f->flags & TW_SYN) + !!(f->flags & TW_FIN);
    struct tw_side *own = &w->connection.side[f->from], *other = &w->connection.side[!f->from];

    if (f->flags & TW_ACK && f->ack > other->acked)
        other->acked = f->ack;
    if (!own->started)
        own->first = f->seq;
    own->started = true;
    own->syn |= !!(f->flags & TW_SYN);
    own->fin |= !!(f->flags & TW_FIN);
    own->next = end > own->next ? end : own->next;

    tw_log_append(w->log, &t);
    w->grew = tw_app_push(&w->app, &t);
    if (end > w->next[f->from])
        w->next[f->from] = end;
}

/* Payload anywhere: offset, and how much of it the snap length left. Acknowledges up to ack. */
static inline void wire_piece(struct wire *w, enum tcpwhy_side from, int64_t seq, int64_t ack,
                              const void *bytes, size_t len, size_t captured)
{
    struct wire_frame f = {
        .from = from,
        .flags = TW_ACK | TW_PSH,
        .seq = seq,
        .ack = ack,
        .bytes = bytes,
        .len = (uint32_t)len,
        .captured = (uint32_t)captured,
        .frame_class = TCPWHY_CLASS_DATA,
    };

    wire_push(w, &f);
}

static inline int64_t wire_other_next(const struct wire *w, enum tcpwhy_side from)
{
    return w->next[from == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT];
}

/* In-order payload that acknowledges everything. */
static inline void wire_bytes(struct wire *w, enum tcpwhy_side from, const void *bytes, size_t len)
{
    wire_piece(w, from, w->next[from], wire_other_next(w, from), bytes, len, len);
}

static inline void wire_text(struct wire *w, enum tcpwhy_side from, const char *text)
{
    wire_bytes(w, from, text, strlen(text));
}

/* A frame without payload. */
static inline void wire_flags(struct wire *w, enum tcpwhy_side from, uint16_t flags)
{
    struct wire_frame f = {
        .from = from,
        .flags = flags,
        .seq = w->next[from],
        .ack = flags & TW_ACK ? wire_other_next(w, from) : 0,
        .bytes = "",
        .frame_class = TCPWHY_CLASS_ACK,
    };

    wire_push(w, &f);
}

static inline void wire_ack(struct wire *w, enum tcpwhy_side from)
{
    wire_flags(w, from, TW_ACK);
}

/* Without a handshake: a capture that begins in the middle. */
static inline void wire_open_midstream(struct wire *w)
{
    *w = (struct wire) { .log = tw_log_new(), .next = { 1, 1 } };
}

static inline void wire_open(struct wire *w)
{
    wire_open_midstream(w);
    w->next[0] = w->next[1] = 0;
    wire_flags(w, TCPWHY_CLIENT, TW_SYN);
    wire_flags(w, TCPWHY_SERVER, TW_SYN | TW_ACK);
    wire_ack(w, TCPWHY_CLIENT);
}

static inline const struct tw_exchange *wire_exchanges(struct wire *w)
{
    tw_app_end(&w->app);
    tw_exchanges_build(w->log, &w->app, &w->exchanges);
    return w->exchanges.exchange;
}

static inline void wire_close(struct wire *w)
{
    tw_exchanges_clear(&w->exchanges);
    tw_app_clear(&w->app);
    tw_log_free(w->log);
}

static inline uint32_t wire_frame_of(const struct wire *w, uint32_t record)
{
    return record == TW_NO_RECORD ? 0 : w->log->record[record].frame;
}

#endif
