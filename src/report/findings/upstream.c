/* SPDX-License-Identifier: MIT */
#include "report/findings/upstream.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"
#include "report/findings/finding_accumulator.h"
#include "report/findings/finding_merge.h"

const char tw_kind_relayed[] = "waits for another server";
const char tw_kind_looks_up[] = "waits for a name";

/* A host waits for another one where it does so for most of the time. */
#define RELAYED_SHARE 0.5

/* A resolver's default timeout (resolv.conf(5), timeout). */
#define RESOLVER_NS TCPWHY_S(5)

/* Servers behind one listener kept separately, and gaps of its host examined per gap, so that the
 * total time stays linear. */
#define MOST_BEHIND 4
#define MOST_LOOKED 1024

/* If there are too many gaps, shorter ones than this are dropped first, then than twice as much
 * ... */
#define LEAST_NS TW_MATERIAL_WAIT

struct asked {
    struct tcpwhy_endpoint client, server; /* client: port 0 */
    struct tw_ask ask;
    const char *name; /* that was asked for; NULL: not a lookup */
};

struct waited {
    struct tw_finding_row key; /* cause, party, endpoint, peer */
    tcpwhy_ns from_ns, to_ns;
    bool here; /* captured at that host: what is asked over the loopback is asked by it */
};

/* A server that one group of gaps, or one host in all groups, waited for. */
struct behind {
    struct tcpwhy_endpoint server;
    const char *name; /* as in struct asked */
    tcpwhy_ns covered_ns;
};

struct group {
    struct tw_finding_row key;
    tcpwhy_ns waited_ns;
    struct behind behind[MOST_BEHIND];
    uint32_t n_behind;
};

/* All requests of one host to one server, and how much of others' waiting they cover. */
struct pair {
    struct tcpwhy_endpoint client, server;
    tcpwhy_ns asked_ns, covered_ns;
};

/* A server that serves one request at a time. */
struct queue {
    struct tcpwhy_endpoint server;
    struct tw_queued queued;
};

struct tw_upstream {
    tw_array *asked, *waited; /* struct asked, struct waited */
    tcpwhy_ns least_asked_ns, least_waited_ns;
    guint most;
    tw_hash_table *groups; /* struct group by their keys; NULL before the close */
    tw_hash_table *pairs;  /* struct pair */
    tw_array *queues;      /* struct queue, of servers that serve one request at a time */
};

struct tw_upstream *tw_upstream_new(guint most)
{
    struct tw_upstream *u = tw_new0(struct tw_upstream, 1);

    u->asked = tw_array_new(FALSE, FALSE, sizeof(struct asked));
    u->waited = tw_array_new(FALSE, FALSE, sizeof(struct waited));
    u->queues = tw_array_new(FALSE, FALSE, sizeof(struct queue));
    u->most = MAX(most, 1);
    return u;
}

struct tw_upstream *tw_upstream_copy(const struct tw_upstream *from)
{
    struct tw_upstream *u = tw_memdup2(from, sizeof *from);

    u->asked = tw_array_copy(from->asked);
    u->waited = tw_array_copy(from->waited);
    u->queues = tw_array_copy(from->queues);
    return u;
}

void tw_upstream_free(struct tw_upstream *u)
{
    tw_array_free(u->asked, TRUE);
    tw_array_free(u->waited, TRUE);
    tw_array_free(u->queues, TRUE);
    if (u->groups)
        tw_hash_table_destroy(u->groups);
    if (u->pairs)
        tw_hash_table_destroy(u->pairs);
    tw_free(u);
}

size_t tw_upstream_bytes(const struct tw_upstream *u)
{
    return u->asked->len * sizeof(struct asked) + u->waited->len * sizeof(struct waited);
}

/* ---- connection by connection ---------------------------------------------------------------- */

static void thin_asked(struct tw_upstream *u)
{
    struct asked *a = (struct asked *)(void *)u->asked->data;
    guint kept = 0;

    u->least_asked_ns = MAX(LEAST_NS, u->least_asked_ns * 2);
    for (guint i = 0; i < u->asked->len; i++)
        if (a[i].ask.to_ns - a[i].ask.from_ns >= u->least_asked_ns)
            a[kept++] = a[i];
    tw_array_set_size(u->asked, kept);
}

static void thin_waited(struct tw_upstream *u)
{
    struct waited *w = (struct waited *)(void *)u->waited->data;
    guint kept = 0;

    u->least_waited_ns = MAX(LEAST_NS, u->least_waited_ns * 2);
    for (guint i = 0; i < u->waited->len; i++)
        if (w[i].to_ns - w[i].from_ns >= u->least_waited_ns)
            w[kept++] = w[i];
    tw_array_set_size(u->waited, kept);
}

/* The client that asks that server on behalf of a host; the loopback has one for all. */
static struct tcpwhy_endpoint asker(const struct tcpwhy_endpoint *host,
                                    const struct tcpwhy_endpoint *server)
{
    struct tcpwhy_endpoint client = *host;

    if (tw_endpoint_is_loopback(server))
        client = (struct tcpwhy_endpoint) { .version = 0 };
    client.port = 0;
    return client;
}

static void add_ask(struct tw_upstream *u, const struct asked *entry)
{
    if (entry->ask.to_ns - entry->ask.from_ns < u->least_asked_ns)
        return;
    while (u->asked->len >= u->most)
        thin_asked(u);
    tw_array_append_vals(u->asked, entry, 1);
}

static void add_asks(struct tw_upstream *u, const struct tw_connection_row *conn)
{
    struct asked entry = { .client = conn->stream.client, .server = conn->stream.server };

    entry.client = asker(&entry.client, &entry.server);
    for (uint32_t i = 0; i < conn->asks.n; i++) {
        entry.ask = conn->asks.ask[i];
        add_ask(u, &entry);
    }
}

/* A query that nobody answers is waited for as long as the one before it. */
static tcpwhy_ns given_up_ns(const struct tw_lookup *l)
{
    return l->last_query_ns +
           (l->n_queries > 1 ? (l->last_query_ns - l->first_ns) / (l->n_queries - 1) : RESOLVER_NS);
}

void tw_upstream_add_lookups(struct tw_upstream *u, const struct tw_lookups *lookups)
{
    for (guint i = 0; i < tw_lookups_n(lookups); i++) {
        const struct tw_lookup *l = tw_lookups_at(lookups, i);
        tcpwhy_ns to_ns = l->answered_ns != TCPWHY_NS_UNKNOWN ? l->answered_ns : given_up_ns(l);
        struct asked entry = { .client = asker(&l->client, &l->resolver),
                               .server = l->resolver,
                               .ask = { l->first_ns, to_ns, to_ns },
                               .name = l->name };

        if (to_ns - l->first_ns >= LEAST_NS)
            add_ask(u, &entry);
    }
}

static void add_waits(struct tw_upstream *u, const struct tw_connection_row *conn)
{
    for (uint32_t i = 0; i < conn->weight.n_material; i++) {
        const struct tw_span *span = &conn->weight.material[i].span;
        struct tw_finding_row full;
        struct waited w;

        if (span->cause != TCPWHY_SERVER_THINK || span->first_record >= conn->log->n ||
            span->last_record >= conn->log->n)
            continue;
        tw_finding_accumulator_describe(&conn->stream, span, &w.key, &full);
        w.here = tw_endpoint_is_loopback(&conn->stream.server) ||
                 (conn->stream.vantage == TCPWHY_VANTAGE_SERVER &&
                  conn->stream.vantage_confidence == TCPWHY_CERTAIN);
        w.from_ns = conn->log->record[span->first_record].time_ns;
        w.to_ns = conn->log->record[span->last_record].time_ns;
        if (w.to_ns - w.from_ns < u->least_waited_ns)
            continue;
        while (u->waited->len >= u->most)
            thin_waited(u);
        tw_array_append_val(u->waited, w);
    }
}

void tw_upstream_add(struct tw_upstream *u, const struct tw_connection_row *conn)
{
    add_asks(u, conn);
    add_waits(u, conn);
}

/* ---- the end --------------------------------------------------------------------------------- */

static int compare_hosts(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    int version = (int)a->version - (int)b->version;

    return version ? version : memcmp(a->address, b->address, sizeof a->address);
}

static int by_host_and_time(gconstpointer a, gconstpointer b)
{
    const struct asked *x = a, *y = b;
    int host = compare_hosts(&x->client, &y->client);

    if (host)
        return host;
    if (x->ask.from_ns != y->ask.from_ns)
        return x->ask.from_ns < y->ask.from_ns ? -1 : 1;
    return (x->ask.to_ns > y->ask.to_ns) - (x->ask.to_ns < y->ask.to_ns);
}

static uint64_t hash_pair(gconstpointer key, uint64_t seed)
{
    const struct pair *p = key;

    return tw_endpoint_hash(&p->client, tw_endpoint_hash(&p->server, seed));
}

static gboolean same_pair(gconstpointer a, gconstpointer b)
{
    const struct pair *x = a, *y = b;

    return tw_endpoint_equal(&x->client, &y->client) && tw_endpoint_equal(&x->server, &y->server);
}

static struct pair *pair_of(struct tw_upstream *u, const struct tcpwhy_endpoint *client,
                            const struct tcpwhy_endpoint *server)
{
    struct pair key = { .client = asker(client, server), .server = *server }, *p;

    p = tw_hash_table_lookup(u->pairs, &key);
    if (!p) {
        p = tw_memdup2(&key, sizeof key);
        tw_hash_table_add(u->pairs, p);
    }
    return p;
}

static struct group *group_of(struct tw_upstream *u, const struct tw_finding_row *key)
{
    struct group *g = tw_hash_table_lookup(u->groups, key);

    if (!g) {
        g = tw_new0(struct group, 1);
        g->key = *key;
        tw_hash_table_insert(u->groups, &g->key, g);
    }
    return g;
}

/* A server that a wait may have been for, and how much of it. */
struct candidate {
    struct tcpwhy_endpoint server;
    const char *name; /* as in struct asked */
    tcpwhy_ns covered_ns, until_ns;
};

static struct candidate *candidate_of(struct candidate *all, uint32_t *n, const struct asked *asked,
                                      tcpwhy_ns from_ns)
{
    for (uint32_t i = 0; i < *n; i++)
        if (tw_endpoint_equal(&all[i].server, &asked->server))
            return &all[i];
    if (*n == MOST_BEHIND)
        return NULL;
    all[*n] = (struct candidate) { asked->server, asked->name, 0, from_ns };
    return &all[(*n)++];
}

/* The first ask of that host that began so late. */
static guint first_ask(const struct tw_upstream *u, const struct tcpwhy_endpoint *client,
                       tcpwhy_ns from_ns)
{
    const struct asked *a = (const struct asked *)(const void *)u->asked->data;
    struct asked key = { .client = *client, .ask = { from_ns, 0, 0 } };
    guint low = 0, high = u->asked->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (by_host_and_time(&a[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A host asks on somebody's behalf after that request, and answers after the answer it waits
 * for. */
static void cover(const struct tw_upstream *u, const struct waited *w,
                  const struct tcpwhy_endpoint *client, struct candidate *all, uint32_t *n)
{
    const struct asked *a = (const struct asked *)(const void *)u->asked->data;
    guint first = first_ask(u, client, w->from_ns);

    for (guint i = first; i < u->asked->len && i - first < MOST_LOOKED; i++) {
        tcpwhy_ns from_ns = a[i].ask.from_ns, to_ns = MIN(a[i].ask.to_ns, w->to_ns);
        struct candidate *c;

        if (compare_hosts(&a[i].client, client) != 0 || from_ns > w->to_ns)
            break;
        if ((!a[i].name && a[i].ask.first_ns > w->to_ns) ||
            tw_endpoint_equal(&a[i].server, &w->key.endpoint))
            continue;
        c = candidate_of(all, n, &a[i], w->from_ns);
        if (!c || to_ns <= c->until_ns)
            continue;
        c->covered_ns += to_ns - MAX(from_ns, c->until_ns);
        c->until_ns = to_ns;
    }
}

static void add_behind(struct group *g, const struct candidate *c)
{
    for (uint32_t i = 0; i < g->n_behind; i++) {
        if (!tw_endpoint_equal(&g->behind[i].server, &c->server))
            continue;
        g->behind[i].covered_ns += c->covered_ns;
        return;
    }
    if (g->n_behind < MOST_BEHIND)
        g->behind[g->n_behind++] = (struct behind) { c->server, c->name, c->covered_ns };
}

static void relate(struct tw_upstream *u, const struct waited *w)
{
    struct group *g = group_of(u, &w->key);
    const struct tcpwhy_endpoint loopback = { .version = 0 };
    struct candidate all[MOST_BEHIND];
    uint32_t n = 0;

    g->waited_ns += w->to_ns - w->from_ns;
    cover(u, w, &w->key.endpoint, all, &n);
    if (w->here)
        cover(u, w, &loopback, all, &n);
    for (uint32_t i = 0; i < n; i++) {
        add_behind(g, &all[i]);
        pair_of(u, &w->key.endpoint, &all[i].server)->covered_ns += all[i].covered_ns;
    }
}

static int compare_servers(const struct tcpwhy_endpoint *a, const struct tcpwhy_endpoint *b)
{
    int host = compare_hosts(a, b);

    return host ? host : (int)a->port - (int)b->port;
}

static int by_server_and_answer(gconstpointer a, gconstpointer b)
{
    const struct waited *x = a, *y = b;
    int server = compare_servers(&x->key.endpoint, &y->key.endpoint);

    return server ? server : (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

/* Find the servers that serve one request at a time; unless short waits were dropped. */
static void find_queues(struct tw_upstream *u)
{
    struct tw_served *served;

    if (u->least_waited_ns > 0)
        return;
    tw_array_sort(u->waited, by_server_and_answer);
    served = tw_new(struct tw_served, u->waited->len + 1);
    for (guint i = 0, n = 0; i < u->waited->len; i++) {
        const struct waited *w = &tw_array_index(u->waited, struct waited, i);
        struct queue queue = { .server = w->key.endpoint };

        served[n++] = (struct tw_served) { w->from_ns, w->to_ns };
        if (i + 1 < u->waited->len && compare_servers(&w->key.endpoint, &w[1].key.endpoint) == 0)
            continue;
        if (tw_one_at_a_time(served, n, &queue.queued))
            tw_array_append_val(u->queues, queue);
        n = 0;
    }
    tw_free(served);
}

void tw_upstream_close(struct tw_upstream *u)
{
    find_queues(u);
    u->groups = tw_hash_table_new_full(tw_finding_hash, tw_finding_same, NULL, tw_free);
    u->pairs = tw_hash_table_new_full(hash_pair, same_pair, tw_free, NULL);
    tw_array_sort(u->asked, by_host_and_time);
    for (guint i = 0; i < u->asked->len; i++) {
        const struct asked *a = &tw_array_index(u->asked, struct asked, i);

        pair_of(u, &a->client, &a->server)->asked_ns += a->ask.to_ns - a->ask.from_ns;
    }
    for (guint i = 0; i < u->waited->len; i++)
        relate(u, &tw_array_index(u->waited, struct waited, i));
}

/* One second of a host's waiting explains one second of waiting for that host, even if several
 * wait. */
static double explained(const struct tw_upstream *u, const struct group *g, const struct behind *b)
{
    struct pair key = { .client = asker(&g->key.endpoint, &b->server), .server = b->server };
    const struct pair *p;
    double covered = (double)b->covered_ns;

    p = tw_hash_table_lookup(u->pairs, &key);
    return p && p->covered_ns > p->asked_ns ? covered * (double)p->asked_ns / (double)p->covered_ns
                                            : covered;
}

bool tw_upstream_of(const struct tw_upstream *u, const struct tw_finding_row *key,
                    struct tw_relayed *out)
{
    const struct group *g = u->groups ? tw_hash_table_lookup(u->groups, key) : NULL;
    double most = 0;

    if (!g || g->waited_ns <= 0)
        return false;
    for (uint32_t i = 0; i < g->n_behind; i++) {
        double ns = explained(u, g, &g->behind[i]);

        if (ns <= most)
            continue;
        most = ns;
        out->behind = g->behind[i].server;
        out->name = g->behind[i].name;
    }
    out->share = most / (double)g->waited_ns;
    return out->share >= RELAYED_SHARE;
}

bool tw_upstream_queued(const struct tw_upstream *u, const struct tcpwhy_endpoint *server,
                        struct tw_queued *out)
{
    for (guint i = 0; i < u->queues->len; i++) {
        const struct queue *q = &tw_array_index(u->queues, struct queue, i);

        if (!tw_endpoint_equal(&q->server, server))
            continue;
        *out = q->queued;
        return true;
    }
    return false;
}
