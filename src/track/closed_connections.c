/* SPDX-License-Identifier: MIT */
#include "track/closed_connections.h"

#include "base/array.h"
#include "track/wireshark.h"

/* The most that are taken between two epochs, in whose order they are forgotten. */
#define EPOCH 4096

/* A segment may live for two minutes (RFC 9293, 3.4.1), and a closed side waits for two such
 * lifetimes: later frames on the five-tuple are no part of it. */
#define LATE_NS (2 * TCPWHY_S(120))

/* The last 65,536 taken cost little: they stay known however late a frame comes. */
#define KEPT_EPOCHS 16

void tw_closed_connections_init(struct tw_closed_connections *all, uint64_t seed)
{
    *all = (struct tw_closed_connections) { .slab.size = sizeof(struct tw_closed_connection) };
    tw_flow_table_init(&all->flows, seed, false);
    all->quiet_ns = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
}

void tw_closed_connections_clear(struct tw_closed_connections *all)
{
    tw_array_free(all->quiet_ns, TRUE);
}

/* Includes the heap's overhead. */
static size_t bytes_of(const struct tw_closed_connection *r)
{
    return sizeof *r + sizeof(size_t) + tw_ws_bytes(r->ws);
}

/* @return the epoch in which the next one is taken, which was quiet since then. */
static uint32_t epoch_of_next(struct tw_closed_connections *all, tcpwhy_ns since_ns)
{
    guint epoch = (guint)(all->n_taken++ / EPOCH);

    if (epoch == all->quiet_ns->len) {
        tw_array_append_val(all->quiet_ns, since_ns);
    } else {
        tcpwhy_ns *quiet_ns = &tw_array_index(all->quiet_ns, tcpwhy_ns, epoch);

        *quiet_ns = MAX(*quiet_ns, since_ns);
    }
    return epoch;
}

void tw_closed_connections_add(struct tw_closed_connections *all, struct tw_connection *c)
{
    struct tw_closed_connection *r = tw_retire(&all->slab, c, epoch_of_next(all, c->last_ns));
    int from;

    tw_flow_table_slot(&all->flows, &r->tuple, c->hash, &from)->flow = (struct tw_flow *)(void *)r;
    all->bytes += bytes_of(r);
    all->n++;
}

struct tw_closed_connection *tw_closed_connections_find(const struct tw_closed_connections *all,
                                                        const struct tw_tuple *tuple, uint64_t hash,
                                                        int *from)
{
    return (struct tw_closed_connection *)(void *)tw_flow_table_find(&all->flows, tuple, hash,
                                                                     from);
}

/* Forget a connection, except for its entry in the table. */
static void leave(struct tw_closed_connections *all, const struct tw_closed_connection *r)
{
    all->bytes -= bytes_of(r);
    all->n--;
}

struct tw_connection *tw_closed_connections_revive(struct tw_closed_connections *all,
                                                   struct tw_closed_connection *r, uint64_t hash,
                                                   size_t room)
{
    tw_flow_table_remove(&all->flows, &r->tuple, hash);
    leave(all, r);
    return tw_revive(&all->slab, r, room);
}

void tw_closed_connections_drop(struct tw_closed_connections *all, struct tw_closed_connection *r,
                                uint64_t hash)
{
    tw_flow_table_remove(&all->flows, &r->tuple, hash);
    leave(all, r);
    tw_closed_connection_free(&all->slab, r);
}

static bool is_old(void *user, struct tw_flow *flow)
{
    struct tw_closed_connections *all = user;
    struct tw_closed_connection *r = (struct tw_closed_connection *)(void *)flow;

    if (r->epoch >= all->first_epoch)
        return false;
    leave(all, r);
    tw_closed_connection_free(&all->slab, r);
    return true;
}

uint64_t tw_closed_connections_forget(struct tw_closed_connections *all)
{
    uint64_t before = all->n;
    uint32_t now = (uint32_t)(all->n_taken / EPOCH), from = MIN(all->first_epoch, now);

    /* the current epoch may be dropped in part, and more than once */
    all->first_epoch = from + (now - from) / 2 + 1;
    tw_flow_table_sweep(&all->flows, is_old, all);
    return before - all->n;
}

static bool is_over(void *user, struct tw_flow *flow)
{
    return tw_closed_connection_is_closed((struct tw_closed_connection *)(void *)flow) &&
           is_old(user, flow);
}

/* The first epoch that has not been quiet for long, or must be kept. */
static uint32_t first_kept(const struct tw_closed_connections *all, uint32_t current, tcpwhy_ns now)
{
    uint32_t epoch = all->first_epoch;

    while (epoch + KEPT_EPOCHS < current &&
           now - tw_array_index(all->quiet_ns, tcpwhy_ns, epoch) >= LATE_NS)
        epoch++;
    return epoch;
}

void tw_closed_connections_expire(struct tw_closed_connections *all, tcpwhy_ns now)
{
    uint32_t current = (uint32_t)(all->n_taken / EPOCH), first;

    if (all->last_look == current)
        return;
    all->last_look = current;
    first = first_kept(all, current, now);
    /* scanning the table must be worth it */
    if (first == all->first_epoch || first - all->first_epoch < (current - first) / 8)
        return;
    all->first_epoch = first;
    tw_flow_table_sweep(&all->flows, is_over, all);
}

static bool free_retired(void *user, struct tw_flow *flow)
{
    struct tw_closed_connections *all = user;

    tw_closed_connection_free(&all->slab, (struct tw_closed_connection *)(void *)flow);
    return true;
}

void tw_closed_connections_end(struct tw_closed_connections *all, bool with_labels)
{
    /* they are needed for labels only */
    if (with_labels && all->n > 0)
        tw_flow_table_sweep(&all->flows, free_retired, all);
    tw_flow_table_clear(&all->flows);
    tw_slab_clear(&all->slab);
    all->n = 0;
    all->bytes = 0;
}
