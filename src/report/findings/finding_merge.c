/* SPDX-License-Identifier: MIT */
#include "report/findings/finding_merge.h"

#include "base/ns.h"
#include "report/endpoints.h"

guint tw_finding_hash(gconstpointer key)
{
    const struct tw_finding_row *f = key;

    return tw_endpoint_hash(&f->endpoint) + 31u * tw_endpoint_hash(&f->peer) +
           1009u * (guint)f->cause + (guint)f->party;
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

/* The findings are sorted, so that each voice's first is its costliest. */
struct tcpwhy_verdict tw_worst_voice(const GArray *findings)
{
    guint n = findings->len;

    if (n == 1) /* as most connections have */
        return only_verdict(&g_array_index(findings, struct tw_finding_row, 0));

    struct tw_finding_row *key = g_new(struct tw_finding_row, n + 1);
    struct tcpwhy_verdict *voice = g_new0(struct tcpwhy_verdict, n + 1), worst;
    GHashTable *by_voice = g_hash_table_new(tw_finding_hash, tw_finding_same);

    for (guint i = 0; i < n; i++) {
        const struct tw_finding_row *f = &g_array_index(findings, struct tw_finding_row, i);
        struct tcpwhy_verdict *v;

        key[i] = tw_finding_voice(f);
        v = g_hash_table_lookup(by_voice, &key[i]);
        if (!v)
            g_hash_table_insert(by_voice, &key[i], v = &voice[i]);
        add_to_verdict(v, f);
    }
    worst = voice[0];
    for (guint i = 1; i < n; i++)
        if (voice[i].cost_ns > worst.cost_ns)
            worst = voice[i];
    g_hash_table_destroy(by_voice);
    g_free(voice);
    g_free(key);
    return worst;
}
