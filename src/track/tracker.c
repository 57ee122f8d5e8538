/* SPDX-License-Identifier: MIT */
/*
 * From segments to connections: which connection a segment belongs to, and when ports are used
 * again. Streams are numbered as tshark numbers them.
 */
#include "track/track.h"

#include <glib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "track/classify.h"
#include "track/connection.h"
#include "track/ack_before_data.h"
#include "track/flow_table.h"
#include "track/host_ip_id.h"
#include "track/host_rx_rate.h"
#include "track/host_tx_delay.h"
#include "track/closed_connections.h"
#include "track/wireshark.h"

struct tw_tracker {
    struct tw_flow_table flows;         /* struct tw_connection, open */
    struct tw_connection *first, *last; /* those not taken */
    uint32_t n_connections;             /* so far */
    struct tw_closed_connections retired;
    struct tw_host_rx_rate rx_rate;
    struct tw_host_tx_delay tx_delay;
    struct tw_host_ip_ids ip_ids;
    bool wireshark;
    bool closed;
    bool patient;
    size_t room;                    /* behind each connection */
    struct tcpwhy_wireshark labels; /* of the last frame */
};

struct tw_tracker *tw_tracker_new(bool wireshark)
{
    struct tw_tracker *tracker = tw_new0(struct tw_tracker, 1);
    const uint64_t seed = tw_hash_seed();

    tw_flow_table_init(&tracker->flows, seed, true);
    tracker->wireshark = wireshark;
    tw_closed_connections_init(&tracker->retired, seed);
    return tracker;
}

void tw_tracker_set_room(struct tw_tracker *tracker, size_t bytes)
{
    tracker->room = bytes;
}

static void number_hosts(struct tw_connection *c)
{
    for (int i = 0; i < 2; i++)
        c->host[i] = tw_host_rx_number(c->tuple.address[i]);
}

static void append(struct tw_tracker *tracker, struct tw_connection *c)
{
    number_hosts(c);
    c->previous = tracker->last;
    if (tracker->last)
        tracker->last->next = c;
    else
        tracker->first = c;
    tracker->last = c;
}

static void unlink_connection(struct tw_tracker *tracker, struct tw_connection *c)
{
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
    tw_closed_connections_clear(&tracker->retired);
    tw_free(tracker);
}

static struct tw_connection *open_connection(struct tw_tracker *tracker, uint64_t hash,
                                             const struct tw_tracked *t)
{
    struct tw_connection *c = tw_connection_open(t->segment, t->time_ns, t->frame, tracker->room);

    c->stream = tracker->n_connections++;
    c->hash = hash;
    if (tracker->wireshark)
        c->ws = tw_ws_new();
    append(tracker, c);
    return c;
}

/*
 * tshark's base of each side: a SYN/ACK moves it in any case; a segment of unknown length sets
 * none.
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

/* A late frame of a taken connection. */
static struct tw_connection *revive(struct tw_tracker *tracker, struct tw_closed_connection *r,
                                    uint64_t hash)
{
    struct tw_connection *c =
        tw_closed_connections_revive(&tracker->retired, r, hash, tracker->room);

    c->hash = hash;
    append(tracker, c);
    return c;
}

/* tshark's rule for used ports: a SYN without ACK and with another initial sequence number. */
static bool is_used_anew(bool base_known, uint32_t base, const struct tw_segment *s)
{
    return (s->flags & (TW_SYN | TW_ACK)) == TW_SYN && base_known && s->seq != base;
}

/* A five-tuple without an open connection: open one, or restore it. */
static struct tw_connection *open_or_revive(struct tw_tracker *tracker, uint64_t hash,
                                            const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;
    int from;
    struct tw_closed_connection *r =
        tw_closed_connections_find(&tracker->retired, &s->tuple, hash, &from);
    struct tw_connection *fresh;

    if (r && !is_used_anew(r->side[from].base_known, r->side[from].base, s))
        return revive(tracker, r, hash);
    fresh = open_connection(tracker, hash, t);
    if (r) {
        fresh->reused = true;
        fresh->reused_ns = r->last_ns;
        tw_closed_connections_drop(&tracker->retired, r, hash);
    }
    return fresh;
}

/* The five-tuple of an open connection belongs to another one from now on. */
static struct tw_connection *supersede(struct tw_tracker *tracker, struct tw_connection *c,
                                       uint64_t hash, const struct tw_tracked *t)
{
    struct tw_connection *fresh = open_connection(tracker, hash, t);

    fresh->reused = true;
    fresh->reused_ns = c->last_ns;
    fresh->supersedes = c;
    c->superseded = true;
    return fresh;
}

uint64_t tw_tracker_hash(const struct tw_tracker *tracker, const struct tw_tuple *tuple)
{
    return tw_flow_table_hash(&tracker->flows, tuple);
}

void tw_tracker_fetch_slot(const struct tw_tracker *tracker, uint64_t hash)
{
    tw_flow_table_fetch(&tracker->flows, hash);
}

void tw_tracker_fetch_taken(const struct tw_tracker *tracker, uint64_t hash)
{
    tw_flow_table_fetch(&tracker->retired.flows, hash);
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

/* No frame of the connection was processed yet: the frame that opened it is pending. */
static bool is_empty(const struct tw_connection *c)
{
    return c->side[0].frames == 0 && c->side[1].frames == 0;
}

/* The frame's connection and sender, if the slot holds none or the right one. */
static int find_connection(struct tw_tracker *tracker, struct tw_flow_slot *slot, int from,
                           struct tw_tracked *out)
{
    const struct tw_segment *s = out->segment;
    struct tw_connection *c = (struct tw_connection *)(void *)slot->flow;

    if (c && !is_used_anew(c->side[from].base_known, c->side[from].base, s)) {
        out->connection = c;
        if (!is_empty(c))
            return from;
        /* Another frame becomes its first. */
        tw_connection_begin(c, s, out->time_ns, out->frame);
        number_hosts(c);
    } else {
        out->connection =
            c ? supersede(tracker, c, slot->hash, out) : open_or_revive(tracker, slot->hash, out);
        slot->flow = (struct tw_flow *)(void *)out->connection;
    }
    return tw_flow_orientation(slot->flow, &s->tuple);
}

/* After more vain waits in a row, what a connection lacks is not in the capture. */
#define VAIN_WAITS 8

static bool is_to_wait(const struct tw_tracker *tracker, const struct tw_connection *c, int from,
                       const struct tw_segment *s)
{
    uint32_t lacks;

    if (!tracker->patient)
        return false;
    return c->astray || (tw_may_be_early(&c->side[!from], s) && c->vain < VAIN_WAITS &&
                         tw_is_early(c, (enum tcpwhy_side)from, s, &lacks));
}

/* The full path; not inlined, so that the fast path keeps its registers. @return the frame's
 * connection, or NULL: it must wait. */
__attribute__((noinline)) static struct tw_connection *
push_plain(struct tw_tracker *tracker, struct tw_flow_slot *slot, int from, struct tw_tracked *t)
{
    struct tw_connection *c;

    from = find_connection(tracker, slot, from, t);
    c = t->connection;
    if (is_to_wait(tracker, c, from, t->segment))
        return NULL;
    t->from = (uint8_t)from;
    t->facts = t->time_ns < c->last_ns ? TW_FACT_CLOCK_BACK : 0;
    t->n_sack = 0;
    t->usual = false;
    t->ack = 0;
    keep_bases(&c->side[from], &c->side[!from], t->segment);
    tw_classify(t);
    if (t->segment->len > 0 && t->frame_class != TCPWHY_CLASS_DATA &&
        t->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        tw_host_tx_delay_repeat(&tracker->tx_delay, c, t);
    if (c->ws) {
        tw_ws_push(c->ws, t->segment, from, c->reused, t->time_ns, t->frame, &tracker->labels);
        t->wireshark = &tracker->labels;
    }
    return c;
}

/* A frame without timestamps, which would show its transit time. */
static void take_inflow(struct tw_tracker *tracker, const struct tw_connection *c,
                        struct tw_tracked *t)
{
    struct tw_host_rx *host = tracker->rx_rate.host;

    if (t->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        tw_host_rx_rate_add(&host[c->host[!t->from]], t->segment->len, t->time_ns);
    for (int i = 0; i < 2; i++)
        t->rx_rate[i] = host[c->host[i]].bytes;
}

/* *out is not zeroed as a whole, which would cost half as much as the rest. */
bool tw_tracker_push_hashed(struct tw_tracker *tracker, const struct tw_segment *segment,
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
        c = push_plain(tracker, slot, from, out);
    if (!c)
        return false;
    c->last_ns = now;
    c->last_frame = frame;
    if (!(segment->options & TW_OPT_TIMESTAMP))
        take_inflow(tracker, c, out);
    tw_host_tx_delay_take(&tracker->tx_delay, c, out);
    tw_host_ip_id_take(&tracker->ip_ids.host[c->host[out->from]], c->stream + 1,
                       c->host[!out->from], segment->ip_id);
    return true;
}

void tw_tracker_set_patient(struct tw_tracker *tracker, bool patient)
{
    tracker->patient = patient;
}

bool tw_tracker_is_early(const struct tw_tracker *tracker, const struct tw_segment *s,
                         uint32_t *lacks)
{
    int from;
    const struct tw_flow *flow =
        tw_flow_table_find(&tracker->flows, &s->tuple, tw_tracker_hash(tracker, &s->tuple), &from);

    return flow && tw_is_early((const struct tw_connection *)(const void *)flow,
                               (enum tcpwhy_side)from, s, lacks);
}

struct tw_connection *tw_tracker_find(struct tw_tracker *tracker, const struct tw_tuple *tuple)
{
    int from;

    return (struct tw_connection *)(void *)tw_flow_table_find(
        &tracker->flows, tuple, tw_tracker_hash(tracker, tuple), &from);
}

struct tw_connection *tw_tracker_first(const struct tw_tracker *tracker)
{
    return tracker->first;
}

double tw_tracker_inflow_rate(const struct tw_tracker *tracker, const struct tw_connection *c,
                              enum tcpwhy_side side)
{
    return tw_host_rx_rate_rate(&tracker->rx_rate.host[c->host[side]]);
}

void tw_tracker_see_other(struct tw_tracker *tracker, const struct tw_segment *s)
{
    if (s->ip_id)
        tw_host_ip_id_take(&tracker->ip_ids.host[tw_host_rx_number(s->tuple.address[0])],
                           TW_OTHER_FLOW, tw_host_rx_number(s->tuple.address[1]), s->ip_id);
}

enum tw_ip_id_scope tw_tracker_ip_id_scope(const struct tw_tracker *tracker,
                                           const struct tw_connection *c, enum tcpwhy_side side)
{
    return tw_host_ip_id_scope(&tracker->ip_ids.host[c->host[side]]);
}

void tw_tracker_take(struct tw_tracker *tracker, struct tw_connection *c)
{
    unlink_connection(tracker, c);
    if (c->superseded || tracker->closed)
        return;
    tw_flow_table_remove(&tracker->flows, &c->tuple, c->hash);
    tw_closed_connections_add(&tracker->retired, c);
}

void tw_tracker_fetch(const struct tw_tracker *tracker, const struct tw_connection *c)
{
    if (tracker->closed)
        return;
    tw_tracker_fetch_slot(tracker, c->hash);
    tw_tracker_fetch_taken(tracker, c->hash);
}

void tw_tracker_close(struct tw_tracker *tracker)
{
    tracker->closed = true;
    tw_closed_connections_end(&tracker->retired, tracker->wireshark);
    tw_flow_table_clear(&tracker->flows);
}

uint64_t tw_tracker_forget(struct tw_tracker *tracker)
{
    return tw_closed_connections_forget(&tracker->retired);
}

void tw_tracker_expire(struct tw_tracker *tracker, tcpwhy_ns now)
{
    tw_closed_connections_expire(&tracker->retired, now);
}

size_t tw_tracker_taken_bytes(const struct tw_tracker *tracker)
{
    return tracker->retired.bytes;
}

size_t tw_tracker_bytes(const struct tw_tracker *tracker)
{
    return tracker->retired.bytes + tw_flow_table_bytes(&tracker->retired.flows) +
           tw_flow_table_bytes(&tracker->flows);
}
