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
#include "track/retired.h"
#include "track/wireshark.h"

/* Port ranges of RFC 6335 as stacks use them: services live low, clients' ports high. */
#define FIRST_REGISTERED_PORT 1024
#define FIRST_EPHEMERAL_PORT  32768

/* So many are taken between two epochs, in whose order they are forgotten. */
#define EPOCH 4096

/* A segment may live for two minutes (RFC 9293, section 3.4.1), and a side that closed waits for
 * two such lives: what comes later on the five-tuple of a closed connection is no part of it. */
#define LATE_NS (2 * TCPWHY_S(120))

/* But those taken last, 65,536 of them, cost little: they are known however late a frame comes. */
#define KEPT_EPOCHS 16

struct tw_tracker {
    struct tw_flow_table flows;
    struct tw_connection *first, *last; /* those not taken */
    uint32_t n_connections, n_open;     /* in all; not taken */
    uint64_t n_taken, n_retired;        /* in all; of them, those still known */
    size_t retired_bytes;
    struct tw_slab retired;
    uint32_t first_epoch; /* older ones are forgotten */
    uint32_t last_look;   /* the epoch in which tw_tracker_expire() looked last */
    GArray *quiet_ns;     /* by epoch: since when all are quiet that were taken in it */
    bool wireshark;
    bool closed;
    size_t room;                    /* behind each connection */
    struct tcpwhy_wireshark labels; /* of the last frame */
};

struct tw_tracker *tw_tracker_new(bool wireshark)
{
    struct tw_tracker *tracker = g_new0(struct tw_tracker, 1);

    tw_flow_table_init(&tracker->flows, tw_hash_seed());
    tracker->wireshark = wireshark;
    tracker->retired.size = sizeof(struct tw_retired);
    tracker->quiet_ns = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    return tracker;
}

void tw_tracker_set_room(struct tw_tracker *tracker, size_t bytes)
{
    tracker->room = bytes;
}

/* But not its recent frames. */
static void copy_side(struct tw_side *to, const struct tw_side *from)
{
    tw_ranges_copy(&to->holes, &from->holes);
    to->recent = (struct tw_recent) { 0 };
}

struct tw_connection *tw_connection_copy(const struct tw_connection *c)
{
    struct tw_connection *copy = g_memdup2(c, sizeof *c);

    for (int i = 0; i < 2; i++)
        copy_side(&copy->side[i], &c->side[i]);
    copy->ws = NULL;
    copy->log = NULL;
    copy->next = copy->previous = NULL;
    return copy;
}

void tw_connection_free(struct tw_connection *c)
{
    for (int i = 0; i < 2; i++) {
        tw_ranges_clear(&c->side[i].holes);
        tw_recent_clear(&c->side[i].recent);
    }
    tw_ws_free(c->ws);
    g_free(c);
}

static void append(struct tw_tracker *tracker, struct tw_connection *c)
{
    tracker->n_open++;
    c->previous = tracker->last;
    if (tracker->last)
        tracker->last->next = c;
    else
        tracker->first = c;
    tracker->last = c;
}

static void unlink_connection(struct tw_tracker *tracker, struct tw_connection *c)
{
    tracker->n_open--;
    if (c->previous)
        c->previous->next = c->next;
    else
        tracker->first = c->next;
    if (c->next)
        c->next->previous = c->previous;
    else
        tracker->last = c->previous;
    c->next = c->previous = NULL;
}

/* With what the heap takes beside it. */
static size_t bytes_of(const struct tw_retired *r)
{
    return sizeof *r + sizeof(size_t) + tw_ws_bytes(r->ws);
}

static void drop_retired(struct tw_tracker *tracker, struct tw_retired *r)
{
    tracker->retired_bytes -= bytes_of(r);
    tracker->n_retired--;
    tw_retired_free(&tracker->retired, r);
}

static bool free_retired(void *user, struct tw_flow *flow)
{
    struct tw_tracker *tracker = user;

    if (!flow->retired)
        return false;
    tw_retired_free(&tracker->retired, (struct tw_retired *)(void *)flow);
    return true;
}

void tw_tracker_free(struct tw_tracker *tracker)
{
    struct tw_connection *next;

    if (!tracker)
        return;
    tw_tracker_close(tracker);
    for (struct tw_connection *c = tracker->first; c; c = next) {
        next = c->next;
        tw_connection_free(c);
    }
    g_array_free(tracker->quiet_ns, TRUE);
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
                                             uint64_t hash, tcpwhy_ns now, uint32_t frame)
{
    struct tw_connection *c = g_malloc(sizeof *c + tracker->room);

    *c = (struct tw_connection) { 0 };
    c->stream = tracker->n_connections++;
    c->tuple = s->tuple;
    c->hash = hash;
    if (!source_is_client(s, &c->roles_inferred))
        turn_round(&c->tuple);
    c->first_ns = c->last_ns = now;
    c->first_frame = frame;
    c->handshake_rtt_ns = c->syn_ns = TCPWHY_NS_UNKNOWN;
    for (int i = 0; i < 2; i++) {
        c->side[i].window_bytes = TW_WINDOW_UNKNOWN;
        c->side[i].wscale = c->side[i].wscale_offered = TW_WSCALE_UNKNOWN;
    }
    if (tracker->wireshark)
        c->ws = tw_ws_new();
    c->past.row = TW_NO_ROW;
    append(tracker, c);
    return c;
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

/* A frame that comes late for a connection that was taken. */
static void revive(struct tw_tracker *tracker, struct tw_flow_slot *slot)
{
    struct tw_retired *r = (struct tw_retired *)(void *)slot->flow;
    struct tw_connection *c;

    tracker->retired_bytes -= bytes_of(r);
    c = tw_revive(&tracker->retired, r, tracker->room);
    c->hash = slot->hash;
    slot->flow = (struct tw_flow *)(void *)c;
    tracker->n_retired--;
    append(tracker, c);
}

/* The five-tuple of a flow is in use by a fresh connection. */
static void supersede(struct tw_tracker *tracker, struct tw_flow *flow, struct tw_connection *fresh)
{
    fresh->reused = true;
    if (flow->retired) {
        fresh->reused_ns = ((struct tw_retired *)(void *)flow)->last_ns;
        drop_retired(tracker, (struct tw_retired *)(void *)flow);
    } else {
        fresh->supersedes = (struct tw_connection *)(void *)flow;
        fresh->supersedes->superseded = true;
        fresh->reused_ns = fresh->supersedes->last_ns;
    }
}

/* tshark's rule for used ports: a SYN without ACK and with another initial sequence number. */
static bool is_used_anew(const struct tw_flow *flow, const struct tw_segment *s, int from)
{
    if ((s->flags & (TW_SYN | TW_ACK)) != TW_SYN)
        return false;
    if (flow->retired) {
        const struct tw_retired *r = (const struct tw_retired *)(const void *)flow;

        return r->side[from].base_known && s->seq != r->side[from].base;
    }
    const struct tw_connection *c = (const struct tw_connection *)(const void *)flow;

    return c->side[from].base_known && s->seq != c->side[from].base;
}

/* A connection for a slot that has none, or another. */
static void renew(struct tw_tracker *tracker, struct tw_flow_slot *slot, uint64_t hash,
                  const struct tw_tracked *t)
{
    struct tw_connection *fresh = open_connection(tracker, t->segment, hash, t->time_ns, t->frame);

    if (slot->flow)
        supersede(tracker, slot->flow, fresh);
    slot->flow = (struct tw_flow *)(void *)fresh;
}

uint64_t tw_tracker_hash(const struct tw_tracker *tracker, const struct tw_tuple *tuple)
{
    return tw_flow_table_hash(&tracker->flows, tuple);
}

void tw_tracker_fetch_slot(const struct tw_tracker *tracker, uint64_t hash)
{
    tw_flow_table_fetch(&tracker->flows, hash);
}

const struct tw_connection *tw_tracker_peek(const struct tw_tracker *tracker, uint64_t hash)
{
    const struct tw_flow *flow = tw_flow_table_peek(&tracker->flows, hash);

    for (size_t at = 0; flow && at < sizeof(struct tw_connection); at += TW_CACHE_LINE)
        __builtin_prefetch((const char *)flow + at);
    return (const struct tw_connection *)(const void *)flow;
}

void tw_tracker_push(struct tw_tracker *tracker, const struct tw_segment *segment, tcpwhy_ns now,
                     uint32_t frame, struct tw_tracked *out)
{
    tw_tracker_push_hashed(tracker, segment, tw_tracker_hash(tracker, &segment->tuple), now, frame,
                           out);
}

/* What the slot holds becomes the frame's connection, or is the frame's connection again. */
static int find_connection(struct tw_tracker *tracker, struct tw_flow_slot *slot, uint64_t hash,
                           int from, struct tw_tracked *out)
{
    const struct tw_segment *s = out->segment;

    if (!slot->flow || is_used_anew(slot->flow, s, from)) {
        renew(tracker, slot, hash, out);
        from = tw_flow_orientation(slot->flow, &s->tuple);
    } else if (slot->flow->retired) {
        revive(tracker, slot);
    }
    out->connection = (struct tw_connection *)(void *)slot->flow;
    return from;
}

/* Where the few steps do not do. @return the frame's connection. */
static struct tw_connection *push_plain(struct tw_tracker *tracker, struct tw_flow_slot *slot,
                                        uint64_t hash, int from, struct tw_tracked *t)
{
    struct tw_connection *c;

    from = find_connection(tracker, slot, hash, from, t);
    c = t->connection;
    t->from = (uint8_t)from;
    t->facts = t->time_ns < c->last_ns ? TW_FACT_CLOCK_BACK : 0;
    t->n_sack = 0;
    t->ack = 0;
    keep_bases(&c->side[from], &c->side[!from], t->segment);
    tw_classify(t);
    if (c->ws) {
        tw_ws_push(c->ws, t->segment, from, c->reused, t->time_ns, t->frame, &tracker->labels);
        t->wireshark = &tracker->labels;
    }
    return c;
}

/* Not the whole of *out is made zero, which would cost as much as half of what follows. */
void tw_tracker_push_hashed(struct tw_tracker *tracker, const struct tw_segment *segment,
                            uint64_t hash, tcpwhy_ns now, uint32_t frame, struct tw_tracked *out)
{
    int from;
    struct tw_flow_slot *slot = tw_flow_table_slot(&tracker->flows, &segment->tuple, hash, &from);
    struct tw_connection *c = (struct tw_connection *)(void *)slot->flow;

    out->connection = c;
    out->segment = segment;
    out->time_ns = now;
    out->frame = frame;
    out->wireshark = NULL;
    if (!c || !c->settled || !tw_classify_fast(out, (enum tcpwhy_side)from))
        c = push_plain(tracker, slot, hash, from, out);
    c->last_ns = now;
    c->last_frame = frame;
}

struct tw_connection *tw_tracker_find(struct tw_tracker *tracker, const struct tw_tuple *tuple)
{
    struct tw_flow *flow = tw_flow_table_find(&tracker->flows, tuple);

    return flow && !flow->retired ? (struct tw_connection *)(void *)flow : NULL;
}

struct tw_connection *tw_tracker_first(const struct tw_tracker *tracker)
{
    return tracker->first;
}

uint32_t tw_tracker_n_open(const struct tw_tracker *tracker)
{
    return tracker->n_open;
}

uint32_t tw_tracker_n_connections(const struct tw_tracker *tracker)
{
    return tracker->n_connections;
}

/* @return the epoch in which the next one is taken, which was quiet since then. */
static uint32_t epoch_of_next(struct tw_tracker *tracker, tcpwhy_ns since_ns)
{
    guint epoch = (guint)(tracker->n_taken++ / EPOCH);

    if (epoch == tracker->quiet_ns->len) {
        g_array_append_val(tracker->quiet_ns, since_ns);
    } else {
        tcpwhy_ns *quiet_ns = &g_array_index(tracker->quiet_ns, tcpwhy_ns, epoch);

        *quiet_ns = MAX(*quiet_ns, since_ns);
    }
    return epoch;
}

void tw_tracker_take(struct tw_tracker *tracker, struct tw_connection *c)
{
    struct tw_retired *r;
    int from;

    unlink_connection(tracker, c);
    if (c->superseded || tracker->closed)
        return;
    r = tw_retire(&tracker->retired, c, epoch_of_next(tracker, c->last_ns));
    tw_flow_table_slot(&tracker->flows, &c->tuple, c->hash, &from)->flow =
        (struct tw_flow *)(void *)r;
    tracker->retired_bytes += bytes_of(r);
    tracker->n_retired++;
}

void tw_tracker_fetch(const struct tw_tracker *tracker, const struct tw_connection *c)
{
    if (!tracker->closed)
        tw_flow_table_fetch(&tracker->flows, c->hash);
}

void tw_tracker_close(struct tw_tracker *tracker)
{
    tracker->closed = true;
    /* Nothing but labels hangs on them. */
    if (tracker->wireshark && tracker->n_retired > 0)
        tw_flow_table_sweep(&tracker->flows, free_retired, tracker);
    tw_slab_clear(&tracker->retired);
    tw_flow_table_clear(&tracker->flows);
    tracker->n_retired = 0;
    tracker->retired_bytes = 0;
}

static bool is_old(void *user, struct tw_flow *flow)
{
    struct tw_tracker *tracker = user;
    struct tw_retired *r = (struct tw_retired *)(void *)flow;

    if (!r->retired || r->epoch >= tracker->first_epoch)
        return false;
    drop_retired(tracker, r);
    return true;
}

uint64_t tw_tracker_forget(struct tw_tracker *tracker)
{
    uint64_t before = tracker->n_retired;
    uint32_t now = (uint32_t)(tracker->n_taken / EPOCH);

    tracker->first_epoch += (now - tracker->first_epoch) / 2 + 1;
    tw_flow_table_sweep(&tracker->flows, is_old, tracker);
    return before - tracker->n_retired;
}

static bool is_over(void *user, struct tw_flow *flow)
{
    struct tw_retired *r = (struct tw_retired *)(void *)flow;

    return r->retired && tw_retired_is_closed(r) && is_old(user, flow);
}

/* The first epoch that has not been quiet for long, or is to be kept. */
static uint32_t first_kept(const struct tw_tracker *tracker, uint32_t current, tcpwhy_ns now)
{
    uint32_t epoch = tracker->first_epoch;

    while (epoch + KEPT_EPOCHS < current &&
           now - g_array_index(tracker->quiet_ns, tcpwhy_ns, epoch) >= LATE_NS)
        epoch++;
    return epoch;
}

void tw_tracker_expire(struct tw_tracker *tracker, tcpwhy_ns now)
{
    uint32_t current = (uint32_t)(tracker->n_taken / EPOCH), first;

    if (tracker->last_look == current)
        return;
    tracker->last_look = current;
    first = first_kept(tracker, current, now);
    /* To go through the table has to be worth it. */
    if (first == tracker->first_epoch || first - tracker->first_epoch < (current - first) / 8)
        return;
    tracker->first_epoch = first;
    tw_flow_table_sweep(&tracker->flows, is_over, tracker);
}

size_t tw_tracker_taken_bytes(const struct tw_tracker *tracker)
{
    return tracker->retired_bytes;
}

size_t tw_tracker_bytes(const struct tw_tracker *tracker)
{
    return tracker->retired_bytes + tracker->flows.capacity * sizeof(struct tw_flow_slot);
}

size_t tw_connection_bytes(const struct tw_connection *c)
{
    size_t bytes = sizeof *c + tw_ws_bytes(c->ws);

    for (int i = 0; i < 2; i++)
        bytes += sizeof(struct tw_range) * c->side[i].holes.capacity +
                 tw_recent_bytes(&c->side[i].recent);
    return bytes;
}
