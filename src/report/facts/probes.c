/* SPDX-License-Identifier: MIT */
#include "report/facts/probes.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"

/* A SYN without an answer for a second is lost: as for those that connect. */
#define ANSWER_NS TCPWHY_S(1)

/* Faster than this many SYNs a second nobody measures: a flood (hping3 --fast sends 10). */
#define MOST_PER_S 1000

/* More groups of one prober are a scan, more probers of one port a flood with forged sources. */
#define MOST_GROUPS 64

#define ENTRY_BYTES 160

/* ---- one connection -------------------------------------------------------------------------- */

/* The kernel's own SYN always has the MSS option; a program that makes its own leaves it out. */
static bool is_raw(const struct tw_record *syn)
{
    return !(syn->options & (TW_OPT_MSS | TW_OPT_CUT | TW_OPT_BAD));
}

/* The prober's host does not know the connection: it resets the SYN/ACK and never acknowledged
 * it. */
static bool is_reset_by_prober(const struct tw_log *log)
{
    for (uint32_t i = 1; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from == TCPWHY_CLIENT)
            return (r->flags & (TW_RST | TW_ACK)) == TW_RST;
    }
    return false;
}

static bool is_single(const struct tw_connection *c, const struct tw_log *log,
                      const struct tw_setup *s)
{
    return log->n > 0 && s->syns == 1 && s->outcome != TW_SETUP_OPEN &&
           s->outcome != TW_SETUP_UNSEEN && c->side[0].bytes == 0 && c->side[1].bytes == 0;
}

static void take_segment(const struct tw_log *log, tcpwhy_ns way_ns, struct tw_probe *p)
{
    for (uint32_t i = 1; i < log->n; i++) {
        const struct tw_record *r = &log->record[i];

        if (r->from != TCPWHY_SERVER || !(r->flags & (TW_SYN | TW_RST)))
            continue;
        p->answer = r->flags & TW_RST ? TW_PROBE_CLOSED : TW_PROBE_OPEN;
        p->answer_ns = r->time_ns - log->record[0].time_ns + 2 * way_ns;
        p->answer_frame = r->frame;
        p->answer_ttl = r->ttl;
        p->ip_id = r->ip_id;
        p->window = (uint16_t)(tw_record_knows_window(r) ? r->window_bytes : ~r->window_bytes);
        return;
    }
}

static void take_icmp(const struct tw_log *log, tcpwhy_ns way_ns, struct tw_probe *p)
{
    for (uint32_t i = 0; i < log->n_icmp; i++) {
        const struct tw_log_icmp *icmp = &log->icmp[i];

        if (icmp->to != TCPWHY_CLIENT ||
            (icmp->kind != TW_ICMP_TIME_EXCEEDED && icmp->kind != TW_ICMP_UNREACHABLE))
            continue;
        p->answer = icmp->kind == TW_ICMP_TIME_EXCEEDED ? TW_PROBE_EXPIRED : TW_PROBE_UNREACHABLE;
        p->answer_ns = icmp->time_ns - log->record[0].time_ns + 2 * way_ns;
        p->answer_frame = icmp->frame;
        memcpy(p->router, icmp->from, sizeof p->router);
        return;
    }
}

void tw_probe_read(const struct tw_connection *c, const struct tw_log *log,
                   const struct tw_setup *setup, tcpwhy_ns way_ns, struct tw_probe *p)
{
    const struct tw_record *syn = &log->record[0];

    *p = (struct tw_probe) { .answer_ns = TCPWHY_NS_UNKNOWN };
    if (!is_single(c, log, setup))
        return;
    p->may_be = true;
    p->sent_ns = syn->time_ns - way_ns;
    p->frame = syn->frame;
    p->stream = c->stream;
    p->ttl = syn->ttl;
    p->port = c->tuple.port[TCPWHY_CLIENT];
    take_segment(log, way_ns, p);
    if (p->answer == TW_PROBE_LOST)
        take_icmp(log, way_ns, p);
    p->is_one = p->answer == TW_PROBE_EXPIRED || (p->answer == TW_PROBE_CLOSED && is_raw(syn)) ||
                (p->answer == TW_PROBE_OPEN && is_reset_by_prober(log));
}

/* ---- groups ---------------------------------------------------------------------------------- */

struct tw_probes {
    tw_hash_table *groups;       /* struct tw_probe_group, its own key */
    struct tw_probe_group *last; /* of the newest probe, or NULL: a scan's, and a flood's, follow */
    uint64_t n, most;
};

static uint64_t group_hash(gconstpointer key, uint64_t seed)
{
    const struct tw_probe_group *g = key;

    return tw_endpoint_hash(&g->prober, tw_endpoint_hash(&g->target, seed));
}

static gboolean group_equal(gconstpointer a, gconstpointer b)
{
    const struct tw_probe_group *x = a, *y = b;

    return tw_endpoint_equal(&x->prober, &y->prober) && tw_endpoint_equal(&x->target, &y->target);
}

static void group_free(gpointer group)
{
    struct tw_probe_group *g = group;

    if (g->probes)
        tw_array_free(g->probes, TRUE);
    tw_free(g);
}

struct tw_probes *tw_probes_new(uint64_t bytes)
{
    struct tw_probes *p = tw_new0(struct tw_probes, 1);

    p->groups = tw_hash_table_new_full(group_hash, group_equal, NULL, group_free);
    p->most = bytes ? bytes / ENTRY_BYTES : UINT64_MAX;
    return p;
}

static void insert(struct tw_probes *p, const struct tw_probe_group *from, tw_array *probes)
{
    struct tw_probe_group *g = tw_memdup2(from, sizeof *from);

    g->probes = probes;
    tw_hash_table_insert(p->groups, g, g);
}

struct tw_probes *tw_probes_copy(const struct tw_probes *from)
{
    struct tw_probes *p = tw_probes_new(0);
    tw_hash_table_iter iter;
    gpointer group;

    p->n = from->n;
    p->most = from->most;
    tw_hash_table_iter_init(&iter, from->groups);
    while (tw_hash_table_iter_next(&iter, &group, NULL))
        insert(p, group, tw_array_copy(((struct tw_probe_group *)group)->probes));
    return p;
}

void tw_probes_free(struct tw_probes *p)
{
    if (!p)
        return;
    tw_hash_table_destroy(p->groups);
    tw_free(p);
}

void tw_probes_add(struct tw_probes *p, const struct tcpwhy_endpoint *client,
                   const struct tcpwhy_endpoint *server, const struct tw_probe *probe)
{
    struct tw_probe_group key = { .prober = *client, .target = *server };
    struct tw_probe_group *group;

    if (!probe->may_be || p->n >= p->most)
        return;
    key.prober.port = 0;
    group = p->last && group_equal(p->last, &key) ? p->last : tw_hash_table_lookup(p->groups, &key);
    if (!group) {
        insert(p, &key, tw_array_new(FALSE, FALSE, sizeof(struct tw_probe)));
        group = tw_hash_table_lookup(p->groups, &key);
    }
    p->last = group;
    group->is_one |= probe->is_one;
    tw_array_append_val(group->probes, *probe);
    p->n++;
}

static gint by_time(gconstpointer a, gconstpointer b)
{
    const struct tw_probe *x = a, *y = b;

    return (x->frame > y->frame) - (x->frame < y->frame);
}

static gint by_size(gconstpointer a, gconstpointer b)
{
    const struct tw_probe_group *x = a, *y = b;

    if (x->probes->len != y->probes->len)
        return x->probes->len > y->probes->len ? -1 : 1;
    return by_time(x->probes->data, y->probes->data);
}

static bool is_flood(const struct tw_probe_group *g)
{
    const struct tw_probe *first = &tw_array_index(g->probes, struct tw_probe, 0);
    const struct tw_probe *last = &tw_array_index(g->probes, struct tw_probe, g->probes->len - 1);
    double s = (double)(last->sent_ns - first->sent_ns) / 1e9;

    /* traceroute sends a hundred at once. */
    return g->probes->len > MOST_PER_S && (double)g->probes->len > s * MOST_PER_S;
}

static void settle(struct tw_probe_group *g, tcpwhy_ns end_ns)
{
    tw_array_sort(g->probes, by_time);
    for (guint i = 0; i < g->probes->len; i++) {
        struct tw_probe *p = &tw_array_index(g->probes, struct tw_probe, i);

        p->settled = p->answer != TW_PROBE_LOST || p->sent_ns + ANSWER_NS <= end_ns;
    }
}

static void clear_group(gpointer group)
{
    tw_array_free(((struct tw_probe_group *)group)->probes, TRUE);
}

tw_array *tw_probes_close(struct tw_probes *probes, tcpwhy_ns end_ns)
{
    tw_array *out = tw_array_new(FALSE, FALSE, sizeof(struct tw_probe_group));
    tw_hash_table_iter iter;
    gpointer key;

    tw_array_set_clear_func(out, clear_group);
    tw_hash_table_iter_init(&iter, probes->groups);
    while (tw_hash_table_iter_next(&iter, &key, NULL)) {
        struct tw_probe_group *g = key;

        settle(g, end_ns);
        if (!g->is_one || is_flood(g))
            continue;
        tw_array_append_val(out, *g);
        g->probes = NULL;
    }
    tw_array_sort(out, by_size);
    if (out->len > MOST_GROUPS)
        tw_array_set_size(out, 0);
    return out;
}

/* ---- figures --------------------------------------------------------------------------------- */

static void count(struct tw_probe_figures *f, const struct tw_probe *p, double *sum, double *square)
{
    double ms = (double)p->answer_ns;

    f->sent += p->settled;
    f->lost += p->settled && p->answer == TW_PROBE_LOST;
    f->expired += p->answer == TW_PROBE_EXPIRED;
    f->open += p->answer == TW_PROBE_OPEN;
    f->closed += p->answer == TW_PROBE_CLOSED;
    if (p->answer != TW_PROBE_OPEN && p->answer != TW_PROBE_CLOSED)
        return;
    if (f->answered++ == 0) {
        f->min_ns = f->max_ns = p->answer_ns;
        f->ttl = p->answer_ttl;
    }
    f->min_ns = MIN(f->min_ns, p->answer_ns);
    f->max_ns = MAX(f->max_ns, p->answer_ns);
    f->ttl = f->ttl == p->answer_ttl ? f->ttl : 0;
    *sum += ms;
    *square += ms * ms;
}

struct tw_probe_figures tw_probe_figures(const struct tw_probe_group *g)
{
    struct tw_probe_figures f = { .min_ns = TCPWHY_NS_UNKNOWN,
                                  .mean_ns = TCPWHY_NS_UNKNOWN,
                                  .max_ns = TCPWHY_NS_UNKNOWN,
                                  .deviation_ns = TCPWHY_NS_UNKNOWN };
    double sum = 0, square = 0;

    for (guint i = 0; i < g->probes->len; i++)
        count(&f, &tw_array_index(g->probes, struct tw_probe, i), &sum, &square);
    if (f.answered > 0) {
        double n = (double)f.answered, mean = sum / n;

        f.mean_ns = (tcpwhy_ns)(mean + 0.5);
        f.deviation_ns = (tcpwhy_ns)(sqrt(MAX(square / n - mean * mean, 0)) + 0.5);
    }
    return f;
}

bool tw_probe_group_is_route(const struct tw_probe_group *g)
{
    for (guint i = 0; i < g->probes->len; i++)
        if (tw_array_index(g->probes, struct tw_probe, i).answer == TW_PROBE_EXPIRED)
            return true;
    return false;
}
