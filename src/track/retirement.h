/* SPDX-License-Identifier: MIT */
/*
 * All connections that were taken and are still known: for how long, and what they take. Their
 * table is apart from that of the open ones, which each frame looks at: that one stays small.
 */
#ifndef TW_TRACK_RETIREMENT_H
#define TW_TRACK_RETIREMENT_H

#include <glib.h>

#include "track/retired.h"

struct tw_retirement {
    struct tw_flow_table flows; /* struct tw_retired */
    struct tw_slab slab;
    uint64_t n_taken, n; /* in all; of them, those still known */
    size_t bytes;
    uint32_t first_epoch; /* older ones are forgotten */
    uint32_t last_look;   /* the epoch in which tw_retirement_expire() looked last */
    GArray *quiet_ns;     /* by epoch: since when all are quiet that were taken in it */
};

/* seed: as of the hashes that they will be known by. */
void tw_retirement_init(struct tw_retirement *all, uint64_t seed);
void tw_retirement_clear(struct tw_retirement *all);

/* Keep what is kept of a connection. */
void tw_retirement_add(struct tw_retirement *all, struct tw_connection *connection);

/* The one of the tuple and its hash, with the tuple's orientation in *from; or NULL. */
struct tw_retired *tw_retirement_find(const struct tw_retirement *all, const struct tw_tuple *tuple,
                                      uint64_t hash, int *from);

/* A frame comes late: the connection again, which had that hash, with so much room behind it. */
struct tw_connection *tw_retirement_revive(struct tw_retirement *all, struct tw_retired *retired,
                                           uint64_t hash, size_t room);

void tw_retirement_drop(struct tw_retirement *all, struct tw_retired *retired, uint64_t hash);

/* Drop the older half. @return how many. */
uint64_t tw_retirement_forget(struct tw_retirement *all);

/* Drop those that closed and have been quiet for long. */
void tw_retirement_expire(struct tw_retirement *all, tcpwhy_ns now);

/* Drop all, and keep none from now on. with_labels: something may hang on them. */
void tw_retirement_end(struct tw_retirement *all, bool with_labels);

#endif
