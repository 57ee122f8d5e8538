/* SPDX-License-Identifier: MIT */
/*
 * All connections that were taken and are still known, as flows of the tracker's table: for how
 * long, and what they take.
 */
#ifndef TW_TRACK_RETIREMENT_H
#define TW_TRACK_RETIREMENT_H

#include <glib.h>

#include "track/retired.h"

struct tw_retirement {
    struct tw_slab slab;
    uint64_t n_taken, n; /* in all; of them, those still known */
    size_t bytes;
    uint32_t first_epoch; /* older ones are forgotten */
    uint32_t last_look;   /* the epoch in which tw_retirement_expire() looked last */
    GArray *quiet_ns;     /* by epoch: since when all are quiet that were taken in it */
};

void tw_retirement_init(struct tw_retirement *all);
void tw_retirement_clear(struct tw_retirement *all);

/* Keep what is kept of a connection. */
struct tw_retired *tw_retirement_add(struct tw_retirement *all, struct tw_connection *connection);

/* A frame comes late: the connection again, with so much room behind it. */
struct tw_connection *tw_retirement_revive(struct tw_retirement *all, struct tw_retired *retired,
                                           size_t room);

void tw_retirement_drop(struct tw_retirement *all, struct tw_retired *retired);

/* Drop the older half. @return how many. */
uint64_t tw_retirement_forget(struct tw_retirement *all, struct tw_flow_table *flows);

/* Drop those that closed and have been quiet for long. */
void tw_retirement_expire(struct tw_retirement *all, struct tw_flow_table *flows, tcpwhy_ns now);

/* Drop all; they are not to be looked up any more. with_labels: something may hang on them. */
void tw_retirement_end(struct tw_retirement *all, struct tw_flow_table *flows, bool with_labels);

#endif
