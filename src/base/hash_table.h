/* SPDX-License-Identifier: MIT */
/*
 * Hash table with the calls of GLib's, whose failed allocations return to the guard (memory.h).
 * Iterates in the order of insertion.
 */
#ifndef TW_BASE_HASH_TABLE_H
#define TW_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

#include "base/memory.h"

typedef struct tw_hash_table tw_hash_table;

/* Keys come from captures: whoever wrote one does not know the seed, nor which keys collide. */
typedef uint64_t (*tw_hash)(gconstpointer key, uint64_t seed);

/* hash and equal NULL: keys are numbers or addresses. The others release keys and values, or NULL.
 */
tw_hash_table *tw_hash_table_new_full(tw_hash hash, GEqualFunc equal, GDestroyNotify free_key,
                                      GDestroyNotify free_value);
tw_hash_table *tw_hash_table_new(tw_hash hash, GEqualFunc equal);
void tw_hash_table_destroy(tw_hash_table *table);
void tw_hash_table_unref(tw_hash_table *table);

guint tw_hash_table_size(const tw_hash_table *table);
gpointer tw_hash_table_lookup(const tw_hash_table *table, gconstpointer key);
gboolean tw_hash_table_lookup_extended(const tw_hash_table *table, gconstpointer key,
                                       gpointer *own_key, gpointer *value);
gboolean tw_hash_table_contains(const tw_hash_table *table, gconstpointer key);
/* A key that is there stays, and the given one is released. @return false then. */
gboolean tw_hash_table_insert(tw_hash_table *table, gpointer key, gpointer value);
/* The given key stays, and the one that is there is released. @return false then. */
gboolean tw_hash_table_replace(tw_hash_table *table, gpointer key, gpointer value);
/* The same, with the key as its own value. */
gboolean tw_hash_table_add(tw_hash_table *table, gpointer key);
gboolean tw_hash_table_remove(tw_hash_table *table, gconstpointer key);
void tw_hash_table_remove_all(tw_hash_table *table);
void tw_hash_table_foreach(const tw_hash_table *table, GHFunc function, gpointer user);

typedef struct tw_hash_table_iter {
    tw_hash_table *table;
    uint32_t next;
} tw_hash_table_iter;

void tw_hash_table_iter_init(tw_hash_table_iter *iter, tw_hash_table *table);
gboolean tw_hash_table_iter_next(tw_hash_table_iter *iter, gpointer *key, gpointer *value);
/* Remove the one that came last. */
void tw_hash_table_iter_remove(tw_hash_table_iter *iter);

/* Of a text, and of a number: for g_str_equal() and g_int64_equal(). */
uint64_t tw_hash_text(gconstpointer text, uint64_t seed);
uint64_t tw_hash_int64(gconstpointer number, uint64_t seed);

#endif
