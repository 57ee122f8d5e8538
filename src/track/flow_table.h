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

/* The head of every entry: a struct tw_connection, or what is kept of one. */
struct tw_flow {
    struct tw_tuple tuple;
};

struct tw_flow_slot {
    uint64_t hash;
    struct tw_flow *flow; /* newest of its five-tuple; NULL: free */
};

struct tw_flow_table {
    struct tw_flow_slot *slot;
    size_t capacity; /* a power of two */
    size_t n;
    uint64_t seed[2];
    bool sparse; /* read for each frame */
};

void tw_flow_table_init(struct tw_flow_table *table, uint64_t seed, bool sparse);
void tw_flow_table_clear(struct tw_flow_table *table);

/* Is this the tuple's entry? 0: as stored, 1: reversed, -1: no. */
int tw_flow_orientation(const struct tw_flow *flow, const struct tw_tuple *tuple);

uint64_t tw_flow_table_hash(const struct tw_flow_table *table, const struct tw_tuple *tuple);

/* Prefetch the slot of that hash. */
void tw_flow_table_fetch(const struct tw_flow_table *table, uint64_t hash);

/* The likely entry of that hash, or NULL. */
const struct tw_flow *tw_flow_table_peek(const struct tw_flow_table *table, uint64_t hash);

/* The slot of the tuple and its hash; if its flow is NULL the caller fills it in, otherwise *from
 * is the tuple's orientation. */
struct tw_flow_slot *tw_flow_table_slot(struct tw_flow_table *table, const struct tw_tuple *tuple,
                                        uint64_t hash, int *from);

/* The entry of the tuple and its hash, with *from as above; or NULL. */
struct tw_flow *tw_flow_table_find(const struct tw_flow_table *table, const struct tw_tuple *tuple,
                                   uint64_t hash, int *from);

/* Remove that entry, which must be there. */
void tw_flow_table_remove(struct tw_flow_table *table, const struct tw_tuple *tuple, uint64_t hash);

static inline size_t tw_flow_table_bytes(const struct tw_flow_table *table)
{
    return table->capacity * sizeof *table->slot;
}

/* Remove every entry that the caller is done with. */
typedef bool (*tw_flow_fn)(void *user, struct tw_flow *flow);
void tw_flow_table_sweep(struct tw_flow_table *table, tw_flow_fn is_done, void *user);

#endif
