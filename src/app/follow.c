/* SPDX-License-Identifier: MIT */
/*
 * Both directions of a stream in the order in which tshark 4.0 prints them: whatever fits is given
 * out at once, whatever is ahead waits for its hole to fill, and a hole that the other side
 * acknowledges past is replaced by a line of text. Works on 32-bit relative sequence numbers as
 * tshark does, because its choices at the edges depend on them.
 */
#include "app/follow.h"

#include <stdio.h>
#include <string.h>

#include <glib.h>

#include "base/seq.h"

/* What waits a direction for a hole that does not fill; what comes beyond is not shown. A capture
 * of one direction would otherwise be held from its first lost frame to its end. */
#define MAX_WAITING_BYTES  (16u << 20)
#define MAX_WAITING_CHUNKS 16384

/* tshark's wording; it counts the closing NUL as part of the text. */
#define MISSING_TEXT "[%d bytes missing in capture file]"

struct chunk {
    uint32_t seq, frame;
    size_t len;
    uint8_t bytes[];
};

/* One direction. Sequence numbers are relative to base, the number that a SYN has or would have. */
struct flow {
    uint32_t base;
    bool based;
    bool written;    /* bytes went out in order; until then next 0 counts as not set */
    uint32_t next;   /* the sequence number that fits */
    uint32_t lowest; /* of those that wait */
    size_t waiting_bytes;
    GPtrArray *waiting; /* struct chunk, in order of arrival; NULL while none ever waited */
};

struct followed {
    uint32_t stream;
    uint8_t address[16]; /* source of its first frame: tshark's "Node 0" */
    uint16_t port;
    struct flow flow[2]; /* 0: from that source */
};

struct tw_follow {
    tw_follow_fn sink;
    void *user;
    GHashTable *streams; /* number + 1 -> struct followed */
};

/* What a frame gives to the functions below. */
struct step {
    struct tw_follow *follow;
    struct followed *stream;
    int node;                 /* which flow the frame belongs to */
    enum tcpwhy_side side[2]; /* of each flow */
    uint32_t frame;
};

static bool emit(const struct step *s, int node, uint32_t frame, const uint8_t *bytes, size_t len)
{
    return s->follow->sink(s->follow->user, s->stream->stream, s->side[node], frame, bytes, len);
}

static void forget(struct flow *flow, guint index)
{
    struct chunk *first;

    flow->waiting_bytes -= ((struct chunk *)flow->waiting->pdata[index])->len;
    g_ptr_array_remove_index(flow->waiting, index);
    if (flow->waiting->len == 0)
        return;
    first = flow->waiting->pdata[0];
    flow->lowest = first->seq;
    for (guint i = 1; i < flow->waiting->len; i++) {
        const struct chunk *c = flow->waiting->pdata[i];

        if (tw_seq_before(c->seq, flow->lowest))
            flow->lowest = c->seq;
    }
}

static bool some_wait(const struct flow *flow)
{
    return flow->waiting && flow->waiting->len > 0;
}

/* Give out what waits and now fits, earliest arrival first, less what was given out before. */
static bool release(const struct step *s, int node)
{
    struct flow *flow = &s->stream->flow[node];

    while (some_wait(flow) && !tw_seq_after(flow->lowest, flow->next)) {
        guint i = 0;
        bool more = true;

        while (tw_seq_after(((struct chunk *)flow->waiting->pdata[i])->seq, flow->next))
            i++;

        const struct chunk *c = flow->waiting->pdata[i];
        uint32_t seen = flow->next - c->seq;

        if (c->len > seen) {
            flow->next += (uint32_t)(c->len - seen);
            more = emit(s, node, c->frame, c->bytes + seen, c->len - seen);
        }
        forget(flow, i);
        if (!more)
            return false;
    }
    return true;
}

/* The other side acknowledged ack: a hole below it is missing from the capture, not late. */
static bool skip_acknowledged(const struct step *s, int node, uint32_t ack)
{
    struct flow *flow = &s->stream->flow[node];

    if (!release(s, node))
        return false;
    while (some_wait(flow) && tw_seq_after(ack, flow->lowest)) {
        char text[64];
        int n = snprintf(text, sizeof text, MISSING_TEXT, (int)(flow->lowest - flow->next));

        flow->next = flow->lowest;
        if (!emit(s, node, s->frame, (const uint8_t *)text, (size_t)n + 1) || !release(s, node))
            return false;
    }
    return true;
}

static void wait(struct flow *flow, uint32_t seq, uint32_t frame, struct tw_bytes bytes)
{
    struct chunk *c;

    if (!flow->waiting)
        flow->waiting = g_ptr_array_new_with_free_func(g_free);
    if (flow->waiting->len >= MAX_WAITING_CHUNKS ||
        flow->waiting_bytes + bytes.len > MAX_WAITING_BYTES)
        return;
    c = g_malloc(sizeof *c + bytes.len);
    c->seq = seq;
    c->frame = frame;
    c->len = bytes.len;
    memcpy(c->bytes, bytes.data, bytes.len);
    if (flow->waiting->len == 0 || tw_seq_before(seq, flow->lowest))
        flow->lowest = seq;
    flow->waiting_bytes += bytes.len;
    g_ptr_array_add(flow->waiting, c);
}

/* The payload that the snap length left; len is what the sender sent and moves the stream on. */
static bool take(const struct step *s, uint32_t seq, uint32_t len, struct tw_bytes bytes)
{
    struct flow *flow = &s->stream->flow[s->node];

    if (!flow->written && flow->next == 0)
        flow->next = seq;
    if (tw_seq_before(seq, flow->next) && tw_seq_after(seq + len, flow->next)) {
        uint32_t seen = flow->next - seq;

        bytes = tw_bytes_from(bytes, seen);
        len -= seen;
        seq = flow->next;
    }
    if (bytes.len == 0 || tw_seq_before(seq, flow->next))
        return true;
    if (seq != flow->next) {
        wait(flow, seq, s->frame, bytes);
        return true;
    }
    flow->next += len;
    flow->written = true;
    return emit(s, s->node, s->frame, bytes.data, bytes.len) && release(s, s->node);
}

/* tshark's base numbers: a SYN's own, else one below the first number seen from or by that side. */
static void set_bases(struct flow flow[2], int node, const struct tw_segment *segment)
{
    struct flow *own = &flow[node], *other = &flow[!node];

    if (!own->based || (segment->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK)) {
        own->base = segment->flags & TW_SYN ? segment->seq : segment->seq - 1;
        own->based = true;
    }
    if (!other->based && segment->flags & TW_ACK) {
        other->base = segment->ack - 1;
        other->based = true;
    }
}

static void followed_free(void *data)
{
    struct followed *stream = data;

    for (int i = 0; i < 2; i++)
        if (stream->flow[i].waiting)
            g_ptr_array_unref(stream->flow[i].waiting);
    g_free(stream);
}

static struct followed *stream_of(struct tw_follow *follow, const struct tw_tracked *t)
{
    void *key = GUINT_TO_POINTER(t->connection->stream + 1u);
    struct followed *stream = g_hash_table_lookup(follow->streams, key);

    if (stream)
        return stream;
    stream = g_new0(struct followed, 1);
    stream->stream = t->connection->stream;
    stream->port = t->segment->tuple.port[0];
    memcpy(stream->address, t->segment->tuple.address[0], sizeof stream->address);
    g_hash_table_insert(follow->streams, key, stream);
    return stream;
}

struct tw_follow *tw_follow_new(tw_follow_fn sink, void *user)
{
    struct tw_follow *follow = g_new0(struct tw_follow, 1);

    follow->sink = sink;
    follow->user = user;
    follow->streams = g_hash_table_new_full(NULL, NULL, NULL, followed_free);
    return follow;
}

bool tw_follow_push(struct tw_follow *follow, const struct tw_tracked *t)
{
    const struct tw_segment *segment = t->segment;
    struct followed *stream = stream_of(follow, t);
    bool first = stream->port == segment->tuple.port[0] &&
                 memcmp(stream->address, segment->tuple.address[0], sizeof stream->address) == 0;
    struct step s = { .follow = follow, .stream = stream, .node = !first, .frame = t->frame };
    struct flow *flow = stream->flow;

    s.side[s.node] = t->from;
    s.side[!s.node] = t->from == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
    set_bases(flow, s.node, segment);
    return skip_acknowledged(&s, !s.node, segment->ack - flow[!s.node].base) &&
           take(&s, segment->seq - flow[s.node].base + !!(segment->flags & TW_SYN), segment->len,
                segment->payload);
}

void tw_follow_free(struct tw_follow *follow)
{
    if (!follow)
        return;
    g_hash_table_unref(follow->streams);
    g_free(follow);
}
