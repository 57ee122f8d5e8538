/* SPDX-License-Identifier: MIT */
#include "track/flow_table.h"

#include <string.h>

#include <glib.h>

#include "base/hash.h"
#include "base/memory.h"

#define FIRST_CAPACITY 1024

/* Up to this many slots, which fit in the second-level cache, the table is kept sparse: nearly all
 * entries are in their first slot, and branches predict well. */
#define SPARSE 16384

/* An IPv4 address and port fit in one word. */
static inline uint64_t narrow_end(const struct tw_tuple *t, int i)
{
    uint32_t address;

    memcpy(&address, t->address[i], sizeof address);
    return address | (uint64_t)t->port[i] << 32;
}

static uint64_t wide_end(const struct tw_tuple *t, int i, const uint64_t seed[2])
{
    uint64_t low = tw_hash_load(t->address[i]), high = tw_hash_load(t->address[i] + 8);

    return tw_hash_mix(low ^ seed[0], (high ^ t->port[i]) + seed[1]);
}

/* The smaller end first: the hash is the same for both orientations. */
static inline uint64_t hash_tuple(const struct tw_tuple *t, const uint64_t seed[2])
{
    bool narrow = t->version == 4;
    uint64_t a = narrow ? narrow_end(t, 0) : wide_end(t, 0, seed);
    uint64_t b = narrow ? narrow_end(t, 1) : wide_end(t, 1, seed);

    return tw_hash_mix(MIN(a, b) ^ seed[0], MAX(a, b) ^ seed[1]);
}

static inline uint32_t both_ports(const struct tw_tuple *t)
{
    uint32_t ports;

    memcpy(&ports, t->port, sizeof ports);
    return ports;
}

/* wide: of 16 bytes, where others have nothing behind the first eight. */
static inline bool same_address(const struct tw_tuple *a, int i, const struct tw_tuple *b, int j,
                                bool wide)
{
    return tw_hash_load(a->address[i]) == tw_hash_load(b->address[j]) &&
           (!wide || tw_hash_load(a->address[i] + 8) == tw_hash_load(b->address[j] + 8));
}

static inline int orientation_of(const struct tw_tuple *own, const struct tw_tuple *tuple,
                                 bool wide)
{
    const uint32_t own_ports = both_ports(own), ports = both_ports(tuple);

    if (own_ports == ports && same_address(own, 0, tuple, 0, wide) &&
        same_address(own, 1, tuple, 1, wide))
        return 0;
    if (own_ports == (ports << 16 | ports >> 16) && same_address(own, 0, tuple, 1, wide) &&
        same_address(own, 1, tuple, 0, wide))
        return 1;
    return -1;
}

static inline int orientation(const struct tw_flow *flow, const struct tw_tuple *tuple)
{
    if (flow->tuple.version != tuple->version)
        return -1;
    return tuple->version == 4 ? orientation_of(&flow->tuple, tuple, false)
                               : orientation_of(&flow->tuple, tuple, true);
}

int tw_flow_orientation(const struct tw_flow *flow, const struct tw_tuple *tuple)
{
    return orientation(flow, tuple);
}

void tw_flow_table_init(struct tw_flow_table *table, uint64_t seed, bool sparse)
{
    *table = (struct tw_flow_table) { .capacity = FIRST_CAPACITY, .sparse = sparse };
    table->seed[0] = seed;
    table->seed[1] = tw_hash_mix(seed, 0x9e3779b97f4a7c15u);
    table->slot = tw_new0(struct tw_flow_slot, table->capacity);
}

void tw_flow_table_clear(struct tw_flow_table *table)
{
    tw_free(table->slot);
    *table = (struct tw_flow_table) { 0 };
}

static void grow(struct tw_flow_table *table)
{
    struct tw_flow_slot *old = table->slot;
    size_t old_capacity = table->capacity;

    table->capacity *= 2;
    table->slot = tw_new0(struct tw_flow_slot, table->capacity);
    for (size_t i = 0; i < old_capacity; i++) {
        if (!old[i].flow)
            continue;
        size_t at = old[i].hash & (table->capacity - 1);

        while (table->slot[at].flow)
            at = (at + 1) & (table->capacity - 1);
        table->slot[at] = old[i];
    }
    tw_free(old);
}

/* *from: which end of the flow found is the tuple's first. */
static inline struct tw_flow_slot *probe(const struct tw_flow_table *table,
                                         const struct tw_tuple *tuple, uint64_t hash, int *from)
{
    for (size_t at = hash;; at++) {
        struct tw_flow_slot *slot = &table->slot[at & (table->capacity - 1)];

        if (!slot->flow)
            return slot;
        if (slot->hash != hash)
            continue;
        *from = orientation(slot->flow, tuple);
        if (*from >= 0)
            return slot;
    }
}

uint64_t tw_flow_table_hash(const struct tw_flow_table *table, const struct tw_tuple *tuple)
{
    return hash_tuple(tuple, table->seed);
}

void tw_flow_table_fetch(const struct tw_flow_table *table, uint64_t hash)
{
    __builtin_prefetch(&table->slot[hash & (table->capacity - 1)], 1);
}

const struct tw_flow *tw_flow_table_peek(const struct tw_flow_table *table, uint64_t hash)
{
    const struct tw_flow_slot *slot = &table->slot[hash & (table->capacity - 1)];

    return slot->hash == hash ? slot->flow : NULL;
}

/* A free slot for a new hash. Rare, hence not inlined. */
__attribute__((noinline)) static struct tw_flow_slot *
add_slot(struct tw_flow_table *table, struct tw_flow_slot *slot, uint64_t hash)
{
    if (++table->n > table->capacity / (table->sparse && table->capacity < SPARSE ? 16 : 2)) {
        size_t at = hash;

        grow(table);
        while (table->slot[at & (table->capacity - 1)].flow)
            at++;
        slot = &table->slot[at & (table->capacity - 1)];
    }
    slot->hash = hash;
    return slot;
}

struct tw_flow_slot *tw_flow_table_slot(struct tw_flow_table *table, const struct tw_tuple *tuple,
                                        uint64_t hash, int *from)
{
    struct tw_flow_slot *slot = probe(table, tuple, hash, from);

    return slot->flow ? slot : add_slot(table, slot, hash);
}

struct tw_flow *tw_flow_table_find(const struct tw_flow_table *table, const struct tw_tuple *tuple,
                                   uint64_t hash, int *from)
{
    return probe(table, tuple, hash, from)->flow;
}

/* Free a slot and move up the entries behind it that had been displaced. */
static void free_slot(struct tw_flow_table *table, size_t at)
{
    size_t mask = table->capacity - 1, hole = at;

    for (size_t i = (at + 1) & mask; table->slot[i].flow; i = (i + 1) & mask) {
        size_t home = table->slot[i].hash & mask;

        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        table->slot[hole] = table->slot[i];
        hole = i;
    }
    table->slot[hole].flow = NULL;
    table->n--;
}

void tw_flow_table_remove(struct tw_flow_table *table, const struct tw_tuple *tuple, uint64_t hash)
{
    int from;

    free_slot(table, (size_t)(probe(table, tuple, hash, &from) - table->slot));
}

/* Entries are scattered in memory: prefetch the one this many slots ahead. */
#define SWEEP_AHEAD 16

void tw_flow_table_sweep(struct tw_flow_table *table, tw_flow_fn is_done, void *user)
{
    for (size_t i = 0; i < table->capacity; i++) {
        __builtin_prefetch(table->slot[(i + SWEEP_AHEAD) & (table->capacity - 1)].flow);
        while (table->slot[i].flow && is_done(user, table->slot[i].flow))
            free_slot(table, i);
    }
}
