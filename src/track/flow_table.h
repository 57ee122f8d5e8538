/* SPDX-License-Identifier: MIT */
/*
 * Five-tuple to connection: a flat open-addressing table of hash tags and pointers, one probe
 * sequence a frame. Both orientations of a tuple find the same entry. Seeded, so that chosen
 * addresses cannot pile up on one slot.
 */
#ifndef TW_TRACK_FLOW_TABLE_H
#define TW_TRACK_FLOW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "track/track.h"

struct tw_flow_slot {
    uint64_t hash;
    struct tw_connection *connection; /* newest on its five-tuple; NULL: free */
};

struct tw_flow_table {
    struct tw_flow_slot *slot;
    size_t capacity; /* a power of two */
    size_t n;
    uint64_t seed;
};

void tw_flow_table_init(struct tw_flow_table *table, uint64_t seed);
void tw_flow_table_clear(struct tw_flow_table *table);

/* Does the tuple name this connection? 0: as stored, 1: turned round, -1: no. */
int tw_flow_orientation(const struct tw_connection *connection, const struct tw_tuple *tuple);

/* The slot of the tuple; its connection is NULL when there is none yet, and the caller fills it. */
struct tw_flow_slot *tw_flow_table_slot(struct tw_flow_table *table, const struct tw_tuple *tuple);

/* The connection of the tuple, or NULL. */
struct tw_connection *tw_flow_table_find(const struct tw_flow_table *table,
                                         const struct tw_tuple *tuple);

#endif
