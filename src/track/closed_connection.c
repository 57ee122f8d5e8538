/* SPDX-License-Identifier: MIT */
#include "track/closed_connection.h"

#include <glib.h>

#include "base/memory.h"
#include "track/wireshark.h"

G_STATIC_ASSERT(offsetof(struct tw_connection, tuple) == offsetof(struct tw_flow, tuple));
G_STATIC_ASSERT(offsetof(struct tw_closed_connection, tuple) == offsetof(struct tw_flow, tuple));

/* The fields kept of a side: one list for saving and restoring. */
#define KEPT(take)                                                                                 \
    take(next), take(first), take(acked), take(isn), take(next_seq), take(base), take(last_tsval), \
        take(window_bytes), take(last_ip_id), take(mss), take(syn_options), take(wscale),          \
        take(wscale_offered), take(id_steps), take(last_class), take(isn_known), take(base_known), \
        take(started), take(syn), take(fin), take(rst), take(timestamps)
#define TAKE(field) .field = from->field

static void retire_side(struct tw_closed_connection_side *to, const struct tw_side *from)
{
    *to = (struct tw_closed_connection_side) { KEPT(TAKE) };
}

/* A side that was heard has one frame, already counted. */
static void revive_side(struct tw_side *to, const struct tw_closed_connection_side *from)
{
    *to = (struct tw_side) { KEPT(TAKE), .frames = from->started };
}

static uint32_t short_time(tcpwhy_ns ns)
{
    return ns >= 0 && ns < UINT32_MAX ? (uint32_t)ns : UINT32_MAX;
}

struct tw_closed_connection *tw_retire(struct tw_slab *slab, struct tw_connection *c,
                                       uint32_t epoch)
{
    struct tw_closed_connection *r = tw_slab_take(slab);

    *r = (struct tw_closed_connection) {
        .tuple = c->tuple,
        .stream = c->stream,
        .roles_inferred = c->roles_inferred,
        .reused = c->reused,
        .reset = c->past.reset,
        .ending = c->past.ending,
        .ending_from = c->past.ending_from,
        .row = c->past.row,
        .handshake_rtt_ns = short_time(c->handshake_rtt_ns),
        .epoch = epoch,
        .last_ns = c->last_ns,
        .told_ns = c->past.last_ns,
        .ws = c->ws,
    };
    for (int i = 0; i < 2; i++)
        retire_side(&r->side[i], &c->side[i]);
    c->ws = NULL;
    return r;
}

void tw_closed_connection_free(struct tw_slab *slab, struct tw_closed_connection *r)
{
    tw_ws_free(r->ws);
    tw_slab_give(slab, r);
}

bool tw_closed_connection_is_closed(const struct tw_closed_connection *r)
{
    const struct tw_closed_connection_side *side = r->side;

    return side[0].rst || side[1].rst ||
           (side[0].fin && side[1].fin && side[0].acked >= side[0].next &&
            side[1].acked >= side[1].next);
}

struct tw_connection *tw_revive(struct tw_slab *slab, struct tw_closed_connection *r, size_t room)
{
    struct tw_connection *c = tw_malloc(sizeof *c + room);

    *c = (struct tw_connection) {
        .tuple = r->tuple,
        .stream = r->stream,
        .roles_inferred = r->roles_inferred,
        .reused = r->reused,
        .reused_ns = INT64_MAX,
        .handshake_rtt_ns =
            r->handshake_rtt_ns == UINT32_MAX ? TCPWHY_NS_UNKNOWN : (tcpwhy_ns)r->handshake_rtt_ns,
        .syn_ns = TCPWHY_NS_UNKNOWN,
        .last_ns = r->last_ns,
        .ws = r->ws,
        .past = { .row = r->row,
                  .ending = r->ending,
                  .ending_from = r->ending_from,
                  .reset = r->reset,
                  .last_ns = r->told_ns },
    };
    for (int i = 0; i < 2; i++) {
        revive_side(&c->side[i], &r->side[i]);
        c->closing |= c->side[i].fin || c->side[i].rst;
        c->past.frames[i] = c->side[i].frames;
    }
    tw_slab_give(slab, r);
    return c;
}
