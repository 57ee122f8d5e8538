/* SPDX-License-Identifier: MIT */
/*
 * From segments to connections: which connection a segment belongs to, when ports are used again,
 * and which end is the client. Streams are numbered as tshark numbers them.
 */
#include "track/track.h"

#include <glib.h>

#include "base/hash.h"
#include "track/classify.h"
#include "track/flow_table.h"
#include "track/wireshark.h"

/* Port ranges of RFC 6335 as stacks use them: services live low, clients' ports high. */
#define FIRST_REGISTERED_PORT 1024
#define FIRST_EPHEMERAL_PORT  32768

struct tw_tracker {
    struct tw_flow_table flows;
    GPtrArray *connections; /* in stream order */
    bool wireshark;
    struct tcpwhy_wireshark labels; /* of the last frame */
};

struct tw_tracker *tw_tracker_new(bool wireshark)
{
    struct tw_tracker *tracker = g_new0(struct tw_tracker, 1);

    tw_flow_table_init(&tracker->flows, tw_hash_seed());
    tracker->connections = g_ptr_array_new();
    tracker->wireshark = wireshark;
    return tracker;
}

static void free_connection(struct tw_connection *c)
{
    for (int i = 0; i < 2; i++) {
        tw_ranges_clear(&c->side[i].holes);
        tw_recent_clear(&c->side[i].recent);
    }
    tw_ws_free(c->ws);
    g_free(c);
}

void tw_tracker_free(struct tw_tracker *tracker)
{
    if (!tracker)
        return;
    for (guint i = 0; i < tracker->connections->len; i++)
        free_connection(g_ptr_array_index(tracker->connections, i));
    g_ptr_array_free(tracker->connections, TRUE);
    tw_flow_table_clear(&tracker->flows);
    g_free(tracker);
}

static int port_class(uint16_t port)
{
    return port < FIRST_REGISTERED_PORT ? 0 : port < FIRST_EPHEMERAL_PORT ? 1 : 2;
}

/* Is the source of a stream's first segment its client? *inferred when no SYN says so. */
static bool source_is_client(const struct tw_segment *s, bool *inferred)
{
    int from = port_class(s->tuple.port[0]), to = port_class(s->tuple.port[1]);

    *inferred = !(s->flags & TW_SYN);
    if (s->flags & TW_SYN)
        return !(s->flags & TW_ACK);
    /* Between like ports whoever speaks first is taken to ask. */
    return from == to || from > to;
}

static void turn_round(struct tw_tuple *t)
{
    struct tw_tuple own = *t;

    for (int i = 0; i < 16; i++) {
        t->address[0][i] = own.address[1][i];
        t->address[1][i] = own.address[0][i];
    }
    t->port[0] = own.port[1];
    t->port[1] = own.port[0];
}

static struct tw_connection *open_connection(struct tw_tracker *tracker, const struct tw_segment *s,
                                             tcpwhy_ns now, uint32_t frame)
{
    struct tw_connection *c = g_new0(struct tw_connection, 1);

    c->stream = tracker->connections->len;
    c->tuple = s->tuple;
    if (!source_is_client(s, &c->roles_inferred))
        turn_round(&c->tuple);
    c->first_ns = now;
    c->first_frame = frame;
    c->handshake_rtt_ns = c->syn_ns = TCPWHY_NS_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        c->side[i].window_bytes = TW_WINDOW_UNKNOWN;
        c->side[i].wscale = c->side[i].wscale_offered = TW_WSCALE_UNKNOWN;
    }
    if (tracker->wireshark)
        c->ws = tw_ws_new();
    g_ptr_array_add(tracker->connections, c);
    return c;
}

/* tshark's rule for used ports: a SYN without ACK and with another initial sequence number. */
static bool opens_anew(const struct tw_connection *c, int from, const struct tw_segment *s)
{
    const struct tw_side *own = &c->side[from];

    return (s->flags & (TW_SYN | TW_ACK)) == TW_SYN && own->base_known && s->seq != own->base;
}

/*
 * tshark's base of each side, which a SYN/ACK moves whatever it finds. A segment whose length is
 * not known sets none.
 */
static void keep_bases(struct tw_side *own, struct tw_side *peer, const struct tw_segment *s)
{
    bool syn_ack = (s->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK);
    bool sets = !(s->facts & TW_SEG_NO_LENGTH);

    if (own->base_known ? syn_ack : sets) {
        own->base = s->flags & TW_SYN ? s->seq : s->seq - 1;
        own->base_known = true;
    }
    if (sets && !peer->base_known && (s->flags & TW_ACK)) {
        peer->base = s->ack - 1;
        peer->base_known = true;
    }
}

static struct tw_connection *connection_of(struct tw_tracker *tracker, const struct tw_segment *s,
                                           tcpwhy_ns now, uint32_t frame, struct tw_tracked *out)
{
    struct tw_flow_slot *slot = tw_flow_table_slot(&tracker->flows, &s->tuple);
    struct tw_connection *c = slot->connection;

    if (!c || opens_anew(c, tw_flow_orientation(c, &s->tuple), s)) {
        struct tw_connection *fresh = open_connection(tracker, s, now, frame);

        fresh->older = c;
        slot->connection = c = fresh;
        out->new_connection = true;
    }
    return c;
}

void tw_tracker_push(struct tw_tracker *tracker, const struct tw_segment *segment, tcpwhy_ns now,
                     uint32_t frame, struct tw_tracked *out)
{
    *out = (struct tw_tracked) { .segment = segment, .time_ns = now, .frame = frame };

    struct tw_connection *c = connection_of(tracker, segment, now, frame, out);

    out->connection = c;
    out->from = (enum tcpwhy_side)tw_flow_orientation(c, &segment->tuple);
    if (!out->new_connection && now < c->last_ns)
        out->facts |= TW_FACT_CLOCK_BACK;
    keep_bases(&c->side[out->from], &c->side[!out->from], segment);
    tw_classify(out);
    if (c->ws) {
        tw_ws_push(c->ws, segment, (int)out->from, c->older != NULL, now, frame, &tracker->labels);
        out->wireshark = &tracker->labels;
    }
    c->last_ns = now;
    c->last_frame = frame;
    c->frames++;
}

struct tw_connection *tw_tracker_find(struct tw_tracker *tracker, const struct tw_tuple *tuple)
{
    return tw_flow_table_find(&tracker->flows, tuple);
}

struct tw_connection *tw_tracker_connection(const struct tw_tracker *tracker, uint32_t stream)
{
    return g_ptr_array_index(tracker->connections, stream);
}

uint32_t tw_tracker_n_connections(const struct tw_tracker *tracker)
{
    return tracker->connections->len;
}
