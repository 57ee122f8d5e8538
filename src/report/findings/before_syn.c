/* SPDX-License-Identifier: MIT */
#include "report/findings/before_syn.h"

#include "base/array.h"
#include "base/hash_table.h"
#include "base/ns.h"
#include "base/text.h"
#include "report/endpoints.h"
#include "report/findings/materiality.h"

/* The program that waited for an answer continues as soon as it has it; what a later SYN waited for
 * is uncertain. */
#define AT_ONCE_NS TCPWHY_MS(10)

/* Resolvers, next hops and hosts kept separately. */
#define MOST_GROUPS 4096

const char tw_kind_half_lost[] = "one family lost";
const char tw_kind_search_list[] = "search list";

struct group {
    enum tcpwhy_cause cause;
    struct tcpwhy_endpoint endpoint, peer;
    tw_array *waits; /* tcpwhy_ns */
    tcpwhy_ns cost_ns, certain_ns;
    const struct tw_before_syn *worst;
    tcpwhy_ns worst_ns;
};

static uint64_t group_hash(gconstpointer key, uint64_t seed)
{
    const struct group *g = key;

    return tw_endpoint_hash(&g->endpoint, tw_endpoint_hash(&g->peer, seed ^ g->cause));
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const struct group *x = a, *y = b;

    return x->cause == y->cause && tw_endpoint_equal(&x->endpoint, &y->endpoint) &&
           tw_endpoint_equal(&x->peer, &y->peer);
}

static void group_free(gpointer data)
{
    struct group *g = data;

    tw_array_free(g->waits, TRUE);
    tw_free(g);
}

/* One kind of wait before one SYN. */
struct prior_wait {
    enum tcpwhy_cause cause;
    struct tcpwhy_endpoint endpoint;
    tcpwhy_ns ns;
    bool certain;
};

static void add(tw_hash_table *groups, const struct tw_before_syn *b, const struct prior_wait *w)
{
    struct group key = { .cause = w->cause, .endpoint = w->endpoint, .peer = b->client };
    struct group *g;

    if (w->ns < TW_MATERIAL_WAIT)
        return;
    key.peer.port = 0;
    g = tw_hash_table_lookup(groups, &key);
    if (!g && tw_hash_table_size(groups) >= MOST_GROUPS)
        return;
    if (!g) {
        g = tw_memdup2(&key, sizeof key);
        g->waits = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
        tw_hash_table_add(groups, g);
    }
    tw_array_append_val(g->waits, w->ns);
    g->cost_ns = tw_ns_add(g->cost_ns, w->ns);
    g->certain_ns = tw_ns_add(g->certain_ns, w->certain ? w->ns : 0);
    if (w->ns > g->worst_ns) {
        g->worst = b;
        g->worst_ns = w->ns;
    }
}

static void add_both(tw_hash_table *groups, const struct tw_names *names,
                     const struct tw_before_syn *b)
{
    if (b->lookup_ns > 0) {
        const struct tw_lookup *l = tw_lookups_at(names->lookups, b->lookup);
        tcpwhy_ns end_ns = b->from_ns + b->lookup_ns;

        add(groups, b,
            &(struct prior_wait) { TCPWHY_NAME_LOOKUP, l->resolver, b->lookup_ns,
                                   b->syn_ns - end_ns <= AT_ONCE_NS + b->hop_ns });
    }
    if (b->hop_ns > 0) {
        const struct tw_neighbour *n = tw_neighbours_at(names->neighbours, b->hop);

        add(groups, b,
            &(struct prior_wait) { TCPWHY_NEXT_HOP, n->target, b->hop_ns,
                                   tw_endpoint_same_host(&n->target, &b->server) });
    }
}

static int by_ns(gconstpointer a, gconstpointer b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* The first query or request, the last answer, the SYN. */
static void add_frames(const struct group *g, const struct tw_names *names,
                       struct tw_finding_row *f, tcpwhy_report *report)
{
    const struct tw_before_syn *b = g->worst;
    uint32_t *frames = tw_new0(uint32_t, 3);
    bool lookup = g->cause == TCPWHY_NAME_LOOKUP;

    if (lookup) {
        frames[0] = b->first_frame;
        frames[1] = tw_lookups_at(names->lookups, b->lookup)->answer_frame;
    } else {
        frames[0] = tw_neighbours_at(names->neighbours, b->hop)->first_frame;
        frames[1] = tw_neighbours_at(names->neighbours, b->hop)->answer_frame;
    }
    frames[2] = b->syn_frame;
    tw_ptr_array_add(report->blocks, frames);
    f->frames = frames;
    f->n_frames = 3;
}

static void add_details(const struct group *g, const struct tw_names *names,
                        struct tw_finding_row *f, tcpwhy_report *report)
{
    struct tcpwhy_detail *d = tw_new0(struct tcpwhy_detail, 4);
    bool lookup = g->cause == TCPWHY_NAME_LOOKUP;

    if (lookup) {
        const struct tw_lookup *l = tw_lookups_at(names->lookups, g->worst->lookup);

        d[f->n_details++] =
            (struct tcpwhy_detail) { .name = "name",
                                     .text = tw_string_chunk_insert(report->texts, l->name) };
        if (l->n_queries > 1)
            d[f->n_details++] =
                (struct tcpwhy_detail) { .name = "queries", .number = l->n_queries };
        if (g->worst->searched > 0) {
            d[f->n_details++] =
                (struct tcpwhy_detail) { .name = "searched", .number = g->worst->searched };
            d[f->n_details++] =
                (struct tcpwhy_detail) { .name = "kind", .text = tw_kind_search_list };
        } else if (g->worst->half_lost) {
            d[f->n_details++] =
                (struct tcpwhy_detail) { .name = "kind", .text = tw_kind_half_lost };
        }
    } else if (tw_neighbours_at(names->neighbours, g->worst->hop)->n_requests > 1) {
        d[f->n_details++] = (struct tcpwhy_detail) {
            .name = "requests",
            .number = tw_neighbours_at(names->neighbours, g->worst->hop)->n_requests
        };
    }
    tw_ptr_array_add(report->blocks, d);
    f->details = d;
}

static void publish(const struct group *g, const struct tw_names *names, tcpwhy_report *report)
{
    bool certain = 2 * g->certain_ns >= g->cost_ns;
    struct tw_finding_row f = { .cause = g->cause,
                                .party = TCPWHY_PARTY_PATH,
                                .confidence = certain ? TCPWHY_CERTAIN : TCPWHY_LIKELY,
                                .rival = certain ? TCPWHY_CAUSE_NONE : TCPWHY_CLIENT_THINK,
                                .endpoint = g->endpoint,
                                .peer = g->peer,
                                .stream = g->worst->stream,
                                .streams = g->waits->len,
                                .count = g->waits->len,
                                .cost_ns = g->cost_ns };

    tw_array_sort(g->waits, by_ns);
    f.median_ns = tw_array_index(g->waits, tcpwhy_ns, g->waits->len / 2);
    add_frames(g, names, &f, report);
    add_details(g, names, &f, report);
    tw_array_append_val(report->findings, f);
}

tcpwhy_ns tw_before_syn_find(const struct tw_names *names, tcpwhy_ns waited_ns,
                             tcpwhy_report *report)
{
    tw_hash_table *groups = tw_hash_table_new_full(group_hash, group_equal, group_free, NULL);
    tcpwhy_ns all_ns = 0;
    tw_hash_table_iter iter;
    gpointer group;

    for (guint i = 0; i < names->before->len; i++) {
        const struct tw_before_syn *b = &tw_array_index(names->before, struct tw_before_syn, i);

        add_both(groups, names, b);
        all_ns = tw_ns_add(all_ns, tw_ns_add(b->lookup_ns, b->hop_ns));
    }
    tw_hash_table_iter_init(&iter, groups);
    while (tw_hash_table_iter_next(&iter, &group, NULL)) {
        const struct group *g = group;

        if (tw_is_material(g->cause, g->cost_ns, tw_ns_add(waited_ns, all_ns)))
            publish(g, names, report);
    }
    tw_hash_table_destroy(groups);
    return all_ns;
}
