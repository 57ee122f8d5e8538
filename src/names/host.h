/* SPDX-License-Identifier: MIT */
/* Hosts as keys of hash tables: endpoints, whatever their ports. */
#ifndef TW_NAMES_HOST_H
#define TW_NAMES_HOST_H

#include <string.h>

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/hash.h"
#include "base/hash_table.h"

static inline uint64_t tw_host_hash(gconstpointer host, uint64_t seed)
{
    const struct tcpwhy_endpoint *e = host;

    return tw_hash_bytes(e->address, sizeof e->address, seed ^ e->version);
}

static inline gboolean tw_host_equal(gconstpointer a, gconstpointer b)
{
    const struct tcpwhy_endpoint *x = a, *y = b;

    return x->version == y->version && memcmp(x->address, y->address, sizeof x->address) == 0;
}

/* A number kept in a table of pointers; absent: none. */
static inline guint tw_host_number(tw_hash_table *table, gconstpointer key, guint absent)
{
    gpointer number;

    return tw_hash_table_lookup_extended(table, key, NULL, &number) ? GPOINTER_TO_UINT(number)
                                                                    : absent;
}

#endif
