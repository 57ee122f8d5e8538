/* SPDX-License-Identifier: MIT */
#include "report/facts/listeners.h"

#include <string.h>

#include "base/array.h"
#include "base/causes.h"
#include "base/hash_table.h"
#include "base/ns.h"
#include "report/endpoints.h"
#include "report/facts/before_asking.h"
#include "report/rows/ledger.h"
#include "report/rows/percentiles.h"
#include "report/rows/samples.h"

struct listener {
    struct tw_listener_row view;
    guint number;                      /* in the order of its first connection */
    tw_array *ledger;                  /* struct tcpwhy_ledger_entry */
    struct tw_samples latencies, good; /* good: without answers 5xx */
    tcpwhy_ns lost_ns;
    tcpwhy_ns first_ns, last_ns; /* of its requests and answers */
    char *name;                  /* the first by which it was called, or NULL */
};

struct tw_listeners {
    tw_ptr_array *all;
    tw_hash_table *by_endpoint;
    struct listener *last; /* looked up, or NULL: the next connection may well be with the same */
    guint most;
};

static void free_listener(gpointer data)
{
    struct listener *l = data;

    tw_array_free(l->ledger, TRUE);
    tw_samples_clear(&l->latencies);
    tw_samples_clear(&l->good);
    tw_free(l->name);
    tw_free(l);
}

struct tw_listeners *tw_listeners_new(guint most)
{
    struct tw_listeners *l = tw_new0(struct tw_listeners, 1);

    l->all = tw_ptr_array_new_with_free_func(free_listener);
    l->by_endpoint = tw_hash_table_new(tw_endpoint_hash, tw_endpoint_equal);
    l->most = most;
    return l;
}

struct tw_listeners *tw_listeners_copy(const struct tw_listeners *from)
{
    struct tw_listeners *listeners = tw_listeners_new(from->most);

    for (guint i = 0; i < from->all->len; i++) {
        const struct listener *own = tw_ptr_array_index(from->all, i);
        struct listener *l = tw_memdup2(own, sizeof *own);

        l->ledger = tw_array_copy(own->ledger);
        tw_samples_copy(&l->latencies, &own->latencies);
        tw_samples_copy(&l->good, &own->good);
        l->name = tw_strdup(own->name);
        tw_ptr_array_add(listeners->all, l);
        tw_hash_table_insert(listeners->by_endpoint, &l->view.endpoint, l);
    }
    return listeners;
}

/* Usual number of lines in a listener's ledger. */
#define LEDGER_LINES 8

size_t tw_listeners_bytes(const struct tw_listeners *listeners)
{
    return listeners->all->len * (sizeof(struct listener) + TW_ENTRY_BYTES +
                                  LEDGER_LINES * sizeof(struct tcpwhy_ledger_entry));
}

void tw_listeners_free(struct tw_listeners *listeners)
{
    tw_hash_table_destroy(listeners->by_endpoint);
    tw_ptr_array_free(listeners->all, TRUE);
    tw_free(listeners);
}

static struct listener *listener_of(struct tw_listeners *listeners,
                                    const struct tcpwhy_endpoint *endpoint)
{
    static const struct tcpwhy_endpoint nobody;
    struct listener *l = listeners->last;

    if (l && tw_endpoint_equal(&l->view.endpoint, endpoint))
        return l;
    l = tw_hash_table_lookup(listeners->by_endpoint, endpoint);
    if (!l && listeners->all->len >= listeners->most) {
        endpoint = &nobody;
        l = tw_hash_table_lookup(listeners->by_endpoint, endpoint);
    }
    listeners->last = l;
    if (l)
        return l;
    l = listeners->last = tw_new0(struct listener, 1);
    l->first_ns = INT64_MAX;
    l->last_ns = INT64_MIN;
    l->view.endpoint = *endpoint;
    l->number = listeners->all->len;
    l->ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    tw_samples_init(&l->latencies);
    tw_samples_init(&l->good);
    tw_ptr_array_add(listeners->all, l);
    tw_hash_table_insert(listeners->by_endpoint, &l->view.endpoint, l);
    return l;
}

guint tw_listeners_number(struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint)
{
    return listener_of(listeners, endpoint)->number;
}

int tw_listeners_find(const struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint)
{
    const struct listener *l = tw_hash_table_lookup(listeners->by_endpoint, endpoint);

    return l ? (int)l->number : -1;
}

struct tcpwhy_endpoint tw_listeners_endpoint(gconstpointer listeners, guint number)
{
    const struct tw_listeners *all = listeners;

    return ((const struct listener *)tw_ptr_array_index(all->all, number))->view.endpoint;
}

static bool is_reset(const struct tw_connection_row *conn)
{
    const struct tw_connection *c = conn->connection;
    bool refused = conn->first && conn->setup.outcome == TW_SETUP_REFUSED;

    return !refused && !c->past.reset && (c->side[0].rst || c->side[1].rst);
}

static void count_connection(struct listener *l, const struct tw_connection_row *conn)
{
    l->view.connections++;
    l->view.unanswered += conn->setup.outcome == TW_SETUP_SILENT;
    l->view.refused += conn->setup.outcome == TW_SETUP_REFUSED;
}

static void call(struct listener *l, const char *name)
{
    if (!name)
        return;
    if (!l->name)
        l->name = tw_strdup(name);
    l->view.several_names |= strcmp(l->name, name) != 0;
}

void tw_listeners_add(struct tw_listeners *listeners, guint number,
                      const struct tw_connection_row *conn)
{
    struct listener *l = tw_ptr_array_index(listeners->all, number);
    const struct tw_stream_row *stream = &conn->stream;

    if (conn->first)
        count_connection(l, conn);
    call(l, stream->called);
    l->view.resets += is_reset(conn);
    for (int i = 0; i < 6; i++)
        l->view.status.n[i] += stream->status.n[i];
    for (size_t i = 0; i < stream->n_ledger; i++) {
        tw_ledger_add(l->ledger, &stream->ledger[i]);
        if (tw_cause_blames(stream->ledger[i].cause))
            l->lost_ns = tw_ns_add(l->lost_ns, stream->ledger[i].ns);
    }
    if (conn->n_latencies)
        tw_samples_add(&l->latencies, tw_connection_row_latencies(conn), conn->n_latencies);
    if (conn->n_latencies > conn->n_errors)
        tw_samples_add(&l->good, conn->good ? conn->good : tw_connection_row_latencies(conn),
                       conn->n_latencies - conn->n_errors);
    l->view.unheard += conn->n_unheard;
    tw_before_asking_add(&l->view.before_asking, &conn->before_asking);
    if (conn->named.endpoint.version)
        l->view.named = conn->named;
    if (stream->latency.count > 0) {
        l->first_ns = MIN(l->first_ns, stream->latency.first_ns);
        l->last_ns = MAX(l->last_ns, stream->latency.last_ns);
    }
}

static int by_loss(const void *a, const void *b)
{
    const struct listener *x = *(const struct listener *const *)a;
    const struct listener *y = *(const struct listener *const *)b;
    int order;

    if (x->lost_ns != y->lost_ns)
        return x->lost_ns < y->lost_ns ? 1 : -1;
    order =
        memcmp(x->view.endpoint.address, y->view.endpoint.address, sizeof x->view.endpoint.address);
    return order ? order : (int)x->view.endpoint.port - (int)y->view.endpoint.port;
}

static void find_peaks(struct tcpwhy_openings *attempts, const struct tw_interval_series *traffic)
{
    double per_s = traffic->n ? 1e9 / (double)traffic->interval_ns : 0;

    for (size_t i = 0; i < traffic->n; i++) {
        const struct tcpwhy_interval *interval = &traffic->interval[i];

        attempts->peak_opened_per_s =
            MAX(attempts->peak_opened_per_s, (double)interval->opened * per_s);
        attempts->peak_syns_per_s = MAX(attempts->peak_syns_per_s, (double)interval->syns * per_s);
    }
}

static const struct tcpwhy_ledger_entry *publish_ledger(tw_array *ledger, size_t *n,
                                                        tw_ptr_array *blocks)
{
    gpointer view;

    tw_ledger_sort((struct tcpwhy_ledger_entry *)(void *)ledger->data, ledger->len);
    *n = ledger->len;
    view = tw_memdup2(ledger->data, ledger->len * sizeof(struct tcpwhy_ledger_entry));
    tw_ptr_array_add(blocks, view);
    return view;
}

void tw_listeners_close(struct tw_listeners *listeners,
                        const struct tw_connection_attempts *attempts, struct tw_traffic *traffic,
                        struct tcpwhy_report *report)
{
    struct tw_samples all, good;
    tw_array *ledger = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_ledger_entry));
    tcpwhy_ns first_ns = INT64_MAX, last_ns = INT64_MIN;

    tw_samples_init(&all);
    tw_samples_init(&good);
    tw_ptr_array_sort(listeners->all, by_loss);
    for (guint i = 0; i < listeners->all->len; i++) {
        struct listener *l = tw_ptr_array_index(listeners->all, i);

        tw_samples_merge(&all, &l->latencies);
        tw_samples_merge(&good, &l->good);
        l->view.good = tw_samples_percentiles(&l->good);
        report->unheard += l->view.unheard;
        l->view.latency = tw_samples_percentiles(&l->latencies);
        if (l->view.latency.count > 0) {
            tw_percentiles_span(&l->view.latency, l->first_ns, l->last_ns);
            first_ns = MIN(first_ns, l->first_ns);
            last_ns = MAX(last_ns, l->last_ns);
        }
        for (guint k = 0; k < l->ledger->len; k++)
            tw_ledger_add(ledger, &tw_array_index(l->ledger, struct tcpwhy_ledger_entry, k));
        l->view.ledger = publish_ledger(l->ledger, &l->view.n_ledger, report->blocks);
        tw_connection_attempts_view(attempts, l->number, &l->view.openings);
        l->view.forlorn = tw_connection_attempts_evidence(attempts, l->number)->forlorn;
        l->view.traffic = tw_traffic_listener(traffic, l->number, report->blocks);
        find_peaks(&l->view.openings, &l->view.traffic);
        if (l->name && !l->view.several_names)
            l->view.server_name = tw_string_chunk_insert_const(report->texts, l->name);
        tw_array_append_val(report->listeners, l->view);
    }
    report->ledger = publish_ledger(ledger, &report->n_ledger, report->blocks);
    tw_array_free(ledger, TRUE);
    report->latency = tw_samples_percentiles(&all);
    if (all.count > 0)
        tw_percentiles_span(&report->latency, first_ns, last_ns);
    report->good = tw_samples_percentiles(&good);
    tw_samples_clear(&all);
    tw_samples_clear(&good);
}
