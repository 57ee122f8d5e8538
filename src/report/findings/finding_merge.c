/* SPDX-License-Identifier: MIT */
#include "report/findings/finding_merge.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "base/ns.h"
#include "report/endpoints.h"

uint64_t tw_finding_hash(gconstpointer key, uint64_t seed)
{
    const struct tw_finding_row *f = key;

    const uint64_t kind = (uint64_t)f->cause << 8 | (uint64_t)f->party;

    return tw_endpoint_hash(&f->endpoint, tw_endpoint_hash(&f->peer, seed ^ kind));
}

gboolean tw_finding_same(gconstpointer a, gconstpointer b)
{
    const struct tw_finding_row *x = a, *y = b;

    return x->cause == y->cause && x->party == y->party &&
           tw_endpoint_equal(&x->endpoint, &y->endpoint) && tw_endpoint_equal(&x->peer, &y->peer);
}

struct tw_finding_row tw_finding_voice(const struct tw_finding_row *f)
{
    struct tw_finding_row key = { .cause = f->cause, .party = f->party, .endpoint = f->endpoint };

    key.endpoint.port = 0;
    return key;
}

struct tw_finding_row tw_finding_of_cause(const struct tw_finding_row *f)
{
    return (struct tw_finding_row) { .cause = f->cause, .party = f->party };
}

static void add_to_verdict(struct tcpwhy_verdict *v, const struct tw_finding_row *f)
{
    if (v->streams == 0)
        *v = (struct tcpwhy_verdict) { .cause = f->cause,
                                       .party = f->party,
                                       .confidence = f->confidence,
                                       .rival = f->rival,
                                       .endpoint = f->endpoint };
    v->cost_ns = tw_ns_add(v->cost_ns, f->cost_ns);
    v->streams += f->streams;
    if (f->endpoint.port != v->endpoint.port)
        v->endpoint.port = 0;
}

static struct tcpwhy_verdict only_verdict(const struct tw_finding_row *f)
{
    struct tcpwhy_verdict v = { .streams = 0 };

    add_to_verdict(&v, f);
    return v;
}

/* The verdicts of hosts, one after the other in the order of their costliest findings. */
static guint verdicts_by_host(const tw_array *findings, struct tcpwhy_verdict *host)
{
    tw_hash_table *by_voice = tw_hash_table_new(tw_finding_hash, tw_finding_same);
    struct tw_finding_row *key = tw_new(struct tw_finding_row, findings->len);
    guint n = 0;

    for (guint i = 0; i < findings->len; i++) {
        const struct tw_finding_row *f = &tw_array_index(findings, struct tw_finding_row, i);
        struct tcpwhy_verdict *v;

        key[i] = tw_finding_voice(f);
        v = tw_hash_table_lookup(by_voice, &key[i]);
        if (!v)
            tw_hash_table_insert(by_voice, &key[i], v = &host[n++]);
        add_to_verdict(v, f);
    }
    tw_hash_table_destroy(by_voice);
    tw_free(key);
    return n;
}

static bool is_same_cause(const struct tcpwhy_verdict *a, const struct tcpwhy_verdict *b)
{
    return a->cause == b->cause && a->party == b->party;
}

/* One cause at all of its hosts; it names the one that has most of the cost, or none. */
static struct tcpwhy_verdict sum_up(const struct tcpwhy_verdict *host, guint n, guint first)
{
    struct tcpwhy_verdict v = host[first];
    const struct tcpwhy_verdict *most = &host[first];

    for (guint i = first + 1; i < n; i++) {
        if (!is_same_cause(&host[i], &v))
            continue;
        v.cost_ns = tw_ns_add(v.cost_ns, host[i].cost_ns);
        v.streams += host[i].streams;
        if (host[i].cost_ns > most->cost_ns)
            most = &host[i];
    }
    v.endpoint = most->cost_ns >= v.cost_ns / 2 ? most->endpoint : (struct tcpwhy_endpoint) { 0 };
    v.confidence = most->confidence;
    v.rival = most->rival;
    return v;
}

/* The first verdict of a cause sums up all later ones, and causes are few. */
static bool is_summed_up(const struct tcpwhy_verdict *host, guint i, const guint *first, guint n)
{
    for (guint k = 0; k < n; k++)
        if (is_same_cause(&host[first[k]], &host[i]))
            return true;
    return false;
}

/* A cause counts at all of its hosts together: of many alike none may be large. */
struct tcpwhy_verdict tw_worst_cause(const tw_array *findings)
{
    if (findings->len == 1) /* as most connections have */
        return only_verdict(&tw_array_index(findings, struct tw_finding_row, 0));

    struct tcpwhy_verdict *host = tw_new0(struct tcpwhy_verdict, findings->len), worst;
    guint n = verdicts_by_host(findings, host), n_first = 1;
    guint *first = tw_new0(guint, findings->len);

    worst = sum_up(host, n, 0);
    for (guint i = 1; i < n; i++) {
        struct tcpwhy_verdict v;

        if (is_summed_up(host, i, first, n_first))
            continue;
        first[n_first++] = i;
        v = sum_up(host, n, i);
        if (v.cost_ns > worst.cost_ns)
            worst = v;
    }
    tw_free(first);
    tw_free(host);
    return worst;
}
