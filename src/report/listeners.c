/* SPDX-License-Identifier: MIT */
#include "report/listeners.h"

#include <string.h>

#include "base/hash.h"
#include "report/ledger.h"
#include "report/percentiles.h"

struct key {
    uint64_t hash;
    struct tcpwhy_endpoint endpoint;
};

struct listener {
    struct key key;
    struct tcpwhy_listener view;
    GArray *ledger;    /* struct tcpwhy_ledger_entry */
    GArray *latencies; /* tcpwhy_ns */
    tcpwhy_ns lost_ns;
};

struct tw_listeners {
    GPtrArray *all;
    GHashTable *by_endpoint;
    uint64_t seed;
};

static guint hash_endpoint(gconstpointer key)
{
    return (guint)((const struct key *)key)->hash;
}

static gboolean same_endpoint(gconstpointer a, gconstpointer b)
{
    const struct tcpwhy_endpoint *x = &((const struct key *)a)->endpoint;
    const struct tcpwhy_endpoint *y = &((const struct key *)b)->endpoint;

    return x->port == y->port && x->version == y->version &&
           memcmp(x->address, y->address, sizeof x->address) == 0;
}

static void free_listener(gpointer data)
{
    struct listener *l = data;

    g_array_free(l->ledger, TRUE);
    g_array_free(l->latencies, TRUE);
    g_free(l);
}

struct tw_listeners *tw_listeners_new(void)
{
    struct tw_listeners *l = g_new0(struct tw_listeners, 1);

    l->all = g_ptr_array_new_with_free_func(free_listener);
    l->seed = tw_hash_seed();
    l->by_endpoint = g_hash_table_new(hash_endpoint, same_endpoint);
    return l;
}

void tw_listeners_free(struct tw_listeners *listeners)
{
    g_hash_table_destroy(listeners->by_endpoint);
    g_ptr_array_free(listeners->all, TRUE);
    g_free(listeners);
}

static struct listener *listener_of(struct tw_listeners *listeners,
                                    const struct tcpwhy_endpoint *endpoint)
{
    struct key key = { tw_hash_endpoint(endpoint, listeners->seed), *endpoint };
    struct listener *l = g_hash_table_lookup(listeners->by_endpoint, &key);

    if (l)
        return l;
    l = g_new0(struct listener, 1);
    l->key = key;
    l->view.endpoint = *endpoint;
    l->ledger = g_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    l->latencies = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    g_ptr_array_add(listeners->all, l);
    g_hash_table_insert(listeners->by_endpoint, &l->key, l);
    return l;
}

static bool was_refused(const struct tw_connection *c)
{
    const struct tw_side *server = &c->side[TCPWHY_SERVER];

    return c->side[TCPWHY_CLIENT].syn && !server->syn && server->rst;
}

void tw_listeners_add(struct tw_listeners *listeners, const struct tcpwhy_stream *stream,
                      const struct tw_connection *c, const GArray *latencies)
{
    struct listener *l = listener_of(listeners, &stream->server);

    l->view.connections++;
    l->view.unanswered += c->side[TCPWHY_CLIENT].syn && c->side[TCPWHY_SERVER].frames == 0;
    l->view.refused += was_refused(c);
    l->view.resets += !was_refused(c) && (c->side[0].rst || c->side[1].rst);
    for (int i = 0; i < 6; i++)
        l->view.status.n[i] += stream->status.n[i];
    for (size_t i = 0; i < stream->n_ledger; i++) {
        tw_ledger_add(l->ledger, &stream->ledger[i]);
        if (tw_cause_blames(stream->ledger[i].cause))
            l->lost_ns += stream->ledger[i].ns;
    }
    g_array_append_vals(l->latencies, latencies->data, latencies->len);
}

static int by_loss(const void *a, const void *b)
{
    const struct listener *x = *(const struct listener *const *)a;
    const struct listener *y = *(const struct listener *const *)b;

    if (x->lost_ns != y->lost_ns)
        return x->lost_ns < y->lost_ns ? 1 : -1;
    return memcmp(&x->view.endpoint, &y->view.endpoint, sizeof x->view.endpoint);
}

void tw_listeners_close(struct tw_listeners *listeners, struct tcpwhy_report *report)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));

    g_ptr_array_sort(listeners->all, by_loss);
    for (guint i = 0; i < listeners->all->len; i++) {
        struct listener *l = g_ptr_array_index(listeners->all, i);

        g_array_append_vals(all, l->latencies->data, l->latencies->len);
        l->view.latency = tw_percentiles(l->latencies);
        tw_ledger_sort(l->ledger);
        l->view.n_ledger = l->ledger->len;
        gpointer ledger =
            g_memdup2(l->ledger->data, l->ledger->len * sizeof(struct tcpwhy_ledger_entry));

        l->view.ledger = ledger;
        g_ptr_array_add(report->blocks, ledger);
        g_array_append_val(report->listeners, l->view);
    }
    report->latency = tw_percentiles(all);
    g_array_free(all, TRUE);
}
