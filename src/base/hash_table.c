/* SPDX-License-Identifier: MIT */
/*
 * Entries stand in the order of insertion; places, probed one after the other, hold their numbers.
 * A removed entry keeps its place until the table is built anew.
 */
#include "base/hash_table.h"

#include <string.h>

#include "base/hash.h"

/* Half as many entries as places. */
#define LEAST_PLACES 16

#define NO_ENTRY 0

struct entry {
    gpointer key, value;
    guint hash;
    bool removed;
};

struct tw_hash_table {
    tw_hash hash; /* NULL: of the key itself */
    uint64_t seed;
    GEqualFunc equal;
    GDestroyNotify free_key, free_value;
    struct entry *entries;
    uint32_t *places; /* the number of an entry from 1 on, or NO_ENTRY */
    uint32_t n;       /* entries, also removed ones */
    uint32_t removed;
    unsigned bits; /* of the number of places */
};

tw_hash_table *tw_hash_table_new_full(tw_hash hash, GEqualFunc equal, GDestroyNotify free_key,
                                      GDestroyNotify free_value)
{
    tw_hash_table *table = tw_new0(tw_hash_table, 1);

    table->hash = hash;
    table->seed = tw_hash_seed();
    table->equal = equal;
    table->free_key = free_key;
    table->free_value = free_value;
    return table;
}

tw_hash_table *tw_hash_table_new(tw_hash hash, GEqualFunc equal)
{
    return tw_hash_table_new_full(hash, equal, NULL, NULL);
}

static uint32_t n_places(const tw_hash_table *table)
{
    return table->places ? UINT32_C(1) << table->bits : 0;
}

static uint32_t place_of(const tw_hash_table *table, guint hash)
{
    return hash >> (32 - table->bits);
}

uint64_t tw_hash_text(gconstpointer text, uint64_t seed)
{
    return tw_hash_bytes(text, strlen(text), seed);
}

uint64_t tw_hash_int64(gconstpointer number, uint64_t seed)
{
    return tw_hash_bytes(number, sizeof(int64_t), seed);
}

static guint hash_of(const tw_hash_table *table, gconstpointer key)
{
    if (table->hash)
        return (guint)table->hash(key, table->seed);
    return (guint)tw_hash_mix((uintptr_t)key ^ table->seed, TW_HASH_ODD);
}

static bool is_same(const tw_hash_table *table, const struct entry *e, guint hash,
                    gconstpointer key)
{
    if (e->hash != hash || e->removed)
        return false;
    return e->key == key || (table->equal && table->equal(e->key, key));
}

static struct entry *find(const tw_hash_table *table, guint hash, gconstpointer key)
{
    uint32_t mask = n_places(table) - 1;

    if (table->n == 0)
        return NULL;
    for (uint32_t i = place_of(table, hash); table->places[i] != NO_ENTRY; i = (i + 1) & mask) {
        struct entry *e = &table->entries[table->places[i] - 1];

        if (is_same(table, e, hash, key))
            return e;
    }
    return NULL;
}

static void put_place(tw_hash_table *table, guint hash, uint32_t number)
{
    uint32_t mask = n_places(table) - 1, i = place_of(table, hash);

    while (table->places[i] != NO_ENTRY)
        i = (i + 1) & mask;
    table->places[i] = number;
}

/* Room for one more: without the removed entries, with twice the places if half are taken then. */
static void build_anew(tw_hash_table *table)
{
    uint32_t left = table->n - table->removed, places = MAX(n_places(table), LEAST_PLACES), n = 0;
    struct entry *entries;
    uint32_t *new_places;

    if (left >= places / 4)
        places *= 2;
    if (places == 0)
        tw_out_of_memory(SIZE_MAX);
    entries = tw_new(struct entry, places / 2);
    new_places = tw_new0(uint32_t, places);
    for (uint32_t i = 0; i < table->n; i++)
        if (!table->entries[i].removed)
            entries[n++] = table->entries[i];
    tw_free(table->entries);
    tw_free(table->places);
    table->entries = entries;
    table->places = new_places;
    table->bits = (unsigned)__builtin_ctz(places);
    table->n = n;
    table->removed = 0;
    for (uint32_t i = 0; i < n; i++)
        put_place(table, entries[i].hash, i + 1);
}

static void append(tw_hash_table *table, guint hash, gpointer key, gpointer value)
{
    if (table->n == n_places(table) / 2)
        build_anew(table);
    table->entries[table->n++] = (struct entry) { .key = key, .value = value, .hash = hash };
    put_place(table, hash, table->n);
}

static void release(const tw_hash_table *table, const struct entry *e)
{
    if (table->free_key)
        table->free_key(e->key);
    if (table->free_value)
        table->free_value(e->value);
}

gboolean tw_hash_table_insert(tw_hash_table *table, gpointer key, gpointer value)
{
    guint hash = hash_of(table, key);
    struct entry *e = find(table, hash, key);

    if (!e) {
        append(table, hash, key, value);
        return TRUE;
    }
    release(table, &(struct entry) { .key = key, .value = e->value });
    e->value = value;
    return FALSE;
}

gboolean tw_hash_table_replace(tw_hash_table *table, gpointer key, gpointer value)
{
    guint hash = hash_of(table, key);
    struct entry *e = find(table, hash, key), old;

    if (!e) {
        append(table, hash, key, value);
        return TRUE;
    }
    old = *e;
    e->key = key;
    e->value = value;
    release(table, &old);
    return FALSE;
}

gboolean tw_hash_table_add(tw_hash_table *table, gpointer key)
{
    return tw_hash_table_replace(table, key, key);
}

guint tw_hash_table_size(const tw_hash_table *table)
{
    return table->n - table->removed;
}

gboolean tw_hash_table_lookup_extended(const tw_hash_table *table, gconstpointer key,
                                       gpointer *own_key, gpointer *value)
{
    const struct entry *e = find(table, hash_of(table, key), key);

    if (!e)
        return FALSE;
    if (own_key)
        *own_key = e->key;
    if (value)
        *value = e->value;
    return TRUE;
}

gpointer tw_hash_table_lookup(const tw_hash_table *table, gconstpointer key)
{
    const struct entry *e = find(table, hash_of(table, key), key);

    return e ? e->value : NULL;
}

gboolean tw_hash_table_contains(const tw_hash_table *table, gconstpointer key)
{
    return find(table, hash_of(table, key), key) != NULL;
}

static void remove_entry(tw_hash_table *table, struct entry *e)
{
    e->removed = true;
    table->removed++;
    release(table, e);
}

gboolean tw_hash_table_remove(tw_hash_table *table, gconstpointer key)
{
    struct entry *e = find(table, hash_of(table, key), key);

    if (e)
        remove_entry(table, e);
    return e != NULL;
}

void tw_hash_table_remove_all(tw_hash_table *table)
{
    for (uint32_t i = 0; i < table->n; i++)
        if (!table->entries[i].removed)
            release(table, &table->entries[i]);
    table->n = table->removed = 0;
    if (table->places)
        memset(table->places, 0, n_places(table) * sizeof *table->places);
}

void tw_hash_table_destroy(tw_hash_table *table)
{
    tw_hash_table_remove_all(table);
    tw_free(table->entries);
    tw_free(table->places);
    tw_free(table);
}

void tw_hash_table_unref(tw_hash_table *table)
{
    tw_hash_table_destroy(table);
}

void tw_hash_table_foreach(const tw_hash_table *table, GHFunc function, gpointer user)
{
    for (uint32_t i = 0; i < table->n; i++)
        if (!table->entries[i].removed)
            function(table->entries[i].key, table->entries[i].value, user);
}

void tw_hash_table_iter_init(tw_hash_table_iter *iter, tw_hash_table *table)
{
    *iter = (tw_hash_table_iter) { table, 0 };
}

gboolean tw_hash_table_iter_next(tw_hash_table_iter *iter, gpointer *key, gpointer *value)
{
    const tw_hash_table *table = iter->table;

    while (iter->next < table->n) {
        const struct entry *e = &table->entries[iter->next++];

        if (e->removed)
            continue;
        if (key)
            *key = e->key;
        if (value)
            *value = e->value;
        return TRUE;
    }
    return FALSE;
}

void tw_hash_table_iter_remove(tw_hash_table_iter *iter)
{
    remove_entry(iter->table, &iter->table->entries[iter->next - 1]);
}
