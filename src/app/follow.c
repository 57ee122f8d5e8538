/* SPDX-License-Identifier: MIT */
/*
 * Both directions of a stream in the order of tshark 4.0: in-order data is output at once, data
 * ahead waits for its hole, and a hole that the peer acknowledged is replaced by a text. Uses
 * 32-bit relative sequence numbers, as tshark's edge cases depend on them.
 */
#include "app/follow.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "base/array.h"
#include "base/seq.h"

/* Limit of data behind a hole, per direction; the rest is not shown. A one-sided capture would
 * otherwise buffer everything from its first lost frame. */
#define MAX_WAITING_BYTES  (16u << 20)
#define MAX_WAITING_CHUNKS 8192

/* RFC 9293, section 3.1: header without options. */
#define MIN_HEADER 20

/* tshark's wording; it counts the terminating NUL as part of the text. */
#define MISSING_TEXT "[%d bytes missing in capture file]"

struct chunk {
    uint32_t seq, frame;
    size_t len;
    uint8_t bytes[];
};

/* One direction. Sequence numbers are relative to base, the number of its (possibly missing)
 * SYN. */
struct flow {
    uint32_t base;
    bool based;
    bool written;    /* in-order bytes were output; until then next = 0 means unset */
    uint32_t next;   /* next expected sequence number */
    uint32_t lowest; /* lowest waiting sequence number */
    size_t waiting_bytes;
    tw_ptr_array *waiting; /* struct chunk in order of arrival; NULL until needed */
};

struct tw_follow {
    tw_follow_fn sink;
    void *user;
    uint32_t stream;
    bool announced;
    struct flow flow[2]; /* enum tcpwhy_side */
};

/* As in tshark: of two numbers half the space apart each is after the other. */
static bool is_after(uint32_t a, uint32_t b)
{
    return tw_seq_before(b, a);
}

static enum tcpwhy_side other(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
}

static bool emit(const struct tw_follow *follow, enum tcpwhy_side from, uint32_t frame,
                 const uint8_t *bytes, size_t len)
{
    return follow->sink(follow->user, follow->stream, from, frame, bytes, len);
}

static bool some_wait(const struct flow *flow)
{
    return flow->waiting && flow->waiting->len > 0;
}

static struct chunk *chunk_at(const struct flow *flow, guint index)
{
    return flow->waiting->pdata[index];
}

static void forget(struct flow *flow, guint index)
{
    flow->waiting_bytes -= chunk_at(flow, index)->len;
    tw_ptr_array_remove_index(flow->waiting, index);
    for (guint i = 0; i < flow->waiting->len; i++)
        if (i == 0 || tw_seq_before(chunk_at(flow, i)->seq, flow->lowest))
            flow->lowest = chunk_at(flow, i)->seq;
}

/* Output waiting chunks that fit now, earliest arrival first, without bytes already output. */
static bool release(struct tw_follow *follow, enum tcpwhy_side from)
{
    struct flow *flow = &follow->flow[from];
    bool more = true;

    while (more && some_wait(flow) && !is_after(flow->lowest, flow->next)) {
        const struct chunk *c;
        uint32_t seen;
        guint i = 0;

        while (is_after(chunk_at(flow, i)->seq, flow->next))
            i++;
        c = chunk_at(flow, i);
        seen = flow->next - c->seq;
        if (c->len > seen) {
            flow->next += (uint32_t)(c->len - seen);
            more = emit(follow, from, c->frame, c->bytes + seen, c->len - seen);
        }
        forget(flow, i);
    }
    return more;
}

/* The peer acknowledged ack: a hole below it is missing from the capture, not late. */
static bool skip_acknowledged(struct tw_follow *follow, enum tcpwhy_side from, uint32_t ack,
                              uint32_t frame)
{
    struct flow *flow = &follow->flow[from];
    bool more = release(follow, from);

    while (more && some_wait(flow) && is_after(ack, flow->lowest)) {
        char text[64];
        int n = snprintf(text, sizeof text, MISSING_TEXT, (int)(flow->lowest - flow->next));

        flow->next = flow->lowest;
        more = emit(follow, from, frame, (const uint8_t *)text, (size_t)n + 1) &&
               release(follow, from);
    }
    return more;
}

static void keep_waiting(struct flow *flow, uint32_t seq, uint32_t frame, struct tw_bytes bytes)
{
    struct chunk *c;

    if (!flow->waiting)
        flow->waiting = tw_ptr_array_new_with_free_func(tw_free);
    if (flow->waiting->len >= MAX_WAITING_CHUNKS ||
        flow->waiting_bytes + bytes.len > MAX_WAITING_BYTES)
        return;
    c = tw_malloc(sizeof *c + bytes.len);
    *c = (struct chunk) { .seq = seq, .frame = frame, .len = bytes.len };
    memcpy(c->bytes, bytes.data, bytes.len);
    if (flow->waiting->len == 0 || tw_seq_before(seq, flow->lowest))
        flow->lowest = seq;
    flow->waiting_bytes += bytes.len;
    tw_ptr_array_add(flow->waiting, c);
}

/* The captured payload; len is the length on the wire, by which the stream advances. */
static bool take(struct tw_follow *follow, const struct tw_tracked *t, uint32_t seq, uint32_t len,
                 struct tw_bytes bytes)
{
    struct flow *flow = &follow->flow[t->from];

    if (!flow->written && flow->next == 0)
        flow->next = seq;
    if (tw_seq_before(seq, flow->next) && is_after(seq + len, flow->next)) {
        uint32_t seen = flow->next - seq;

        bytes = tw_bytes_from(bytes, seen);
        len -= seen;
        seq = flow->next;
    }
    if (bytes.len == 0 || tw_seq_before(seq, flow->next))
        return true;
    if (seq != flow->next) {
        keep_waiting(flow, seq, t->frame, bytes);
        return true;
    }
    flow->next += len;
    flow->written = true;
    return emit(follow, t->from, t->frame, bytes.data, bytes.len) && release(follow, t->from);
}

/* tshark's base: the SYN's number, else one below the first number seen from or for that side. */
static void set_bases(struct flow *own, struct flow *peer, const struct tw_segment *segment)
{
    if (!own->based || (segment->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK)) {
        own->base = segment->flags & TW_SYN ? segment->seq : segment->seq - 1;
        own->based = true;
    }
    if (!peer->based && segment->flags & TW_ACK) {
        peer->base = segment->ack - 1;
        peer->based = true;
    }
}

/* tshark stops dissecting a frame with an impossible header, or with options truncated by the
 * snap length, before this point. */
static bool is_shown(const struct tw_segment *segment)
{
    return segment->header_len >= MIN_HEADER && !(segment->facts & TW_SEG_HEADER_CUT);
}

struct tw_follow *tw_follow_new(tw_follow_fn sink, void *user)
{
    struct tw_follow *follow = tw_new0(struct tw_follow, 1);

    follow->sink = sink;
    follow->user = user;
    return follow;
}

bool tw_follow_push(struct tw_follow *follow, const struct tw_tracked *t)
{
    const struct tw_segment *segment = t->segment;
    struct flow *own = &follow->flow[t->from], *peer = &follow->flow[other(t->from)];
    uint32_t ack;

    if (!is_shown(segment))
        return true;
    follow->stream = t->connection->stream;
    if (!follow->announced && !emit(follow, t->from, t->frame, NULL, 0))
        return false;
    follow->announced = true;
    set_bases(own, peer, segment);
    /* Without the ACK flag tshark uses the raw field. */
    ack = segment->flags & TW_ACK ? segment->ack - peer->base : segment->ack;
    return skip_acknowledged(follow, other(t->from), ack, t->frame) &&
           take(follow, t, segment->seq - own->base + !!(segment->flags & TW_SYN), segment->len,
                segment->payload);
}

void tw_follow_free(struct tw_follow *follow)
{
    if (!follow)
        return;
    for (int i = 0; i < 2; i++)
        if (follow->flow[i].waiting)
            tw_ptr_array_unref(follow->flow[i].waiting);
    tw_free(follow);
}
