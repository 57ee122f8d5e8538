/* SPDX-License-Identifier: MIT */
#include "report/findings/pairs.h"

#include <glib.h>

#include "base/hash_table.h"
#include "base/ns.h"
#include "report/endpoints.h"

struct pair {
    struct tcpwhy_endpoint server, client; /* the client without its port */
    tcpwhy_ns waited_ns;
};

struct tw_pairs {
    tw_hash_table *table; /* struct pair, owned */
    struct pair *last;    /* looked up, or NULL: the next connection may well be of the same */
};

static uint64_t hash_pair(gconstpointer key, uint64_t seed)
{
    const struct pair *p = key;

    return tw_endpoint_hash(&p->server, tw_endpoint_hash(&p->client, seed));
}

static gboolean same_pair(gconstpointer a, gconstpointer b)
{
    const struct pair *x = a, *y = b;

    return tw_endpoint_equal(&x->server, &y->server) && tw_endpoint_equal(&x->client, &y->client);
}

struct tw_pairs *tw_pairs_new(void)
{
    struct tw_pairs *p = tw_new0(struct tw_pairs, 1);

    p->table = tw_hash_table_new_full(hash_pair, same_pair, tw_free, NULL);
    return p;
}

struct tw_pairs *tw_pairs_copy(const struct tw_pairs *from)
{
    struct tw_pairs *p = tw_pairs_new();
    tw_hash_table_iter iter;
    gpointer pair;

    tw_hash_table_iter_init(&iter, from->table);
    while (tw_hash_table_iter_next(&iter, &pair, NULL))
        tw_hash_table_add(p->table, tw_memdup2(pair, sizeof(struct pair)));
    return p;
}

void tw_pairs_free(struct tw_pairs *p)
{
    tw_hash_table_destroy(p->table);
    tw_free(p);
}

void tw_pairs_add(struct tw_pairs *p, const struct tw_stream_row *s, tcpwhy_ns waited_ns,
                  uint64_t most)
{
    struct pair key = { .server = s->server, .client = s->client };

    key.client.port = 0;
    if (!p->last || !same_pair(p->last, &key))
        p->last = tw_hash_table_lookup(p->table, &key);
    if (!p->last && tw_hash_table_size(p->table) < most) {
        p->last = tw_memdup2(&key, sizeof key);
        tw_hash_table_add(p->table, p->last);
    }
    if (p->last)
        p->last->waited_ns = tw_ns_add(p->last->waited_ns, waited_ns);
}

tcpwhy_ns tw_pairs_waited(const struct tw_pairs *p, const struct tw_finding_row *key,
                          tcpwhy_ns otherwise_ns)
{
    bool by_client = key->endpoint.port == 0;
    const struct pair look = { .server = by_client ? key->peer : key->endpoint,
                               .client = by_client ? key->endpoint : key->peer };
    const struct pair *pair = tw_hash_table_lookup(p->table, &look);

    return pair ? pair->waited_ns : otherwise_ns;
}

size_t tw_pairs_bytes(const struct tw_pairs *p)
{
    return tw_hash_table_size(p->table) * (sizeof(struct pair) + TW_ENTRY_BYTES);
}
