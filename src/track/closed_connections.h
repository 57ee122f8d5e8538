/* SPDX-License-Identifier: MIT */
/*
 * All taken connections that are still known: for how long, and their memory. Their table is
 * separate from that of open ones, which every frame reads, so that that one stays small.
 */
#ifndef TW_TRACK_CLOSED_CONNECTIONS_H
#define TW_TRACK_CLOSED_CONNECTIONS_H

#include <glib.h>

#include "base/array.h"
#include "track/closed_connection.h"

struct tw_closed_connections {
    struct tw_flow_table flows; /* struct tw_closed_connection */
    struct tw_slab slab;
    uint64_t n_taken, n; /* in all, and still known */
    size_t bytes;
    uint32_t first_epoch; /* older ones are forgotten */
    uint32_t last_look;   /* the epoch in which tw_closed_connections_expire() looked last */
    tw_array *quiet_ns;   /* by epoch: since when all connections taken in it are quiet */
};

/* seed: of the hashes by which they are found. */
void tw_closed_connections_init(struct tw_closed_connections *all, uint64_t seed);
void tw_closed_connections_clear(struct tw_closed_connections *all);

/* Store a connection. */
void tw_closed_connections_add(struct tw_closed_connections *all, struct tw_connection *connection);

/* The one of the tuple and its hash, with the tuple's orientation in *from; or NULL. */
struct tw_closed_connection *tw_closed_connections_find(const struct tw_closed_connections *all,
                                                        const struct tw_tuple *tuple, uint64_t hash,
                                                        int *from);

/* A late frame: restore the connection with this hash, with room for that many bytes behind it. */
struct tw_connection *tw_closed_connections_revive(struct tw_closed_connections *all,
                                                   struct tw_closed_connection *retired,
                                                   uint64_t hash, size_t room);

void tw_closed_connections_drop(struct tw_closed_connections *all,
                                struct tw_closed_connection *retired, uint64_t hash);

/* Drop the older half. @return how many. */
uint64_t tw_closed_connections_forget(struct tw_closed_connections *all);

/* Drop those that closed and have been quiet for long. */
void tw_closed_connections_expire(struct tw_closed_connections *all, tcpwhy_ns now);

/* Drop all, and store none from now on. with_labels: labels may need them. */
void tw_closed_connections_end(struct tw_closed_connections *all, bool with_labels);

#endif
