/* SPDX-License-Identifier: MIT */
#include "report/facts/ports.h"

#include <stdlib.h>
#include <string.h>

#include "report/endpoints.h"
#include "report/facts/port_pairs.h"

/* Linux keeps a port of the side that closed first for so long (TCP_TIMEWAIT_LEN,
 * include/net/tcp.h). */
#define KEPT_NS TCPWHY_S(60)

#define MAX_VIEWS 32

/* Ports that stacks give out by themselves: Windows, macOS, BSD and RFC 6335 from 49152 on; Linux
 * 32768 to 60999 (net.ipv4.ip_local_port_range); whoever uses others has been told to. */
#define IANA_FIRST  49152
#define LINUX_FIRST 32768
#define LINUX_LAST  60999
#define ANY_FIRST   1024
#define LAST        65535

/* Linux looks for a free port in two halves and gets slow well before the last one is gone. */
#define EXHAUSTED_SHARE 0.9

/* A port that was used again too soon may be chance; this many are not. */
#define EXHAUSTED_FAILURES 3

#define N_PORTS 65536

/* One client host with one listener. */
struct pair {
    const struct tw_opening **opening; /* in order of time */
    guint n;
};

struct counting {
    guint *last;       /* by port: 1 + index of the opening that used it last, 0 none */
    tcpwhy_ns *end_ns; /* when each opening's port is free again */
};

static int by_time(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* Until when each opening keeps its port: a minute more than it lives, or until used again. */
static void find_ends(const struct pair *p, struct counting *c, struct tcpwhy_ports *view)
{
    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];
        guint before = c->last[o->port];

        if (before)
            c->end_ns[before - 1] = MIN(c->end_ns[before - 1], o->first_ns);
        else
            view->ports++;
        c->last[o->port] = i + 1;
        c->end_ns[i] = o->last_ns > INT64_MAX - KEPT_NS ? INT64_MAX : o->last_ns + KEPT_NS;
    }
    for (guint i = 0; i < p->n; i++)
        c->last[p->opening[i]->port] = 0;
}

static bool is_sorted(const tcpwhy_ns *values, guint n)
{
    for (guint i = 1; i < n; i++)
        if (values[i - 1] > values[i])
            return false;
    return true;
}

/* The most ports at once: beginnings and ends, each in order of time. */
static uint32_t most_at_once(const struct pair *p, struct counting *c)
{
    uint32_t now = 0, most = 0;
    guint ended = 0;

    if (!is_sorted(c->end_ns, p->n))
        qsort(c->end_ns, p->n, sizeof *c->end_ns, by_time);
    for (guint i = 0; i < p->n; i++) {
        for (; ended < i && c->end_ns[ended] <= p->opening[i]->first_ns; ended++)
            now--;
        now++;
        most = MAX(most, now);
    }
    return most;
}

static uint32_t range_of(uint16_t lowest, uint16_t highest)
{
    if (lowest >= IANA_FIRST)
        return LAST - IANA_FIRST + 1;
    if (lowest >= LINUX_FIRST && highest <= LINUX_LAST)
        return LINUX_LAST - LINUX_FIRST + 1;
    return LAST - ANY_FIRST + 1;
}

/* Ports that were asked for and never led to a connection are a scan's or a flood's. */
static bool is_exhausted(const struct tcpwhy_ports *v, uint64_t opened)
{
    if (opened * 2 < v->connections)
        return false;
    return v->in_use >= EXHAUSTED_SHARE * v->range || v->reuse_failed >= EXHAUSTED_FAILURES;
}

static struct tcpwhy_ports count(const struct pair *p, struct counting *c)
{
    struct tcpwhy_ports v = { .connections = p->n, .lowest = UINT16_MAX };
    uint64_t opened = 0;

    find_ends(p, c, &v);
    v.in_use = most_at_once(p, c);
    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];

        v.lowest = MIN(v.lowest, o->port);
        v.highest = MAX(v.highest, o->port);
        v.reused += o->reused;
        v.reuse_failed += o->reused && o->failed;
        opened += o->outcome == TW_SETUP_OPEN || o->outcome == TW_SETUP_UNSEEN;
    }
    v.range = range_of(v.lowest, v.highest);
    v.exhausted = is_exhausted(&v, opened);
    v.client.version = p->opening[0]->version;
    memcpy(v.client.address, p->opening[0]->client, sizeof v.client.address);
    return v;
}

static bool outranks(const struct tcpwhy_ports *a, const struct tcpwhy_ports *b)
{
    if (a->exhausted != b->exhausted)
        return a->exhausted;
    return a->in_use != b->in_use ? a->in_use > b->in_use : a->reused > b->reused;
}

static bool same_view(const struct tcpwhy_ports *a, const struct tcpwhy_ports *b)
{
    return tw_endpoint_equal(&a->client, &b->client) &&
           tw_endpoint_equal(&a->listener, &b->listener);
}

/* What was counted of the same pair before: sums, and the most of each. */
static void add_earlier(struct tcpwhy_ports *v, const struct tcpwhy_ports *earlier)
{
    v->connections += earlier->connections;
    v->reused += earlier->reused;
    v->reuse_failed += earlier->reuse_failed;
    v->ports = MAX(v->ports, earlier->ports);
    v->in_use = MAX(v->in_use, earlier->in_use);
    v->lowest = MIN(v->lowest, earlier->lowest);
    v->highest = MAX(v->highest, earlier->highest);
    v->range = range_of(v->lowest, v->highest);
    v->exhausted |= earlier->exhausted;
}

static void take_earlier(GArray *views, struct tcpwhy_ports *view)
{
    for (guint i = 0; i < views->len; i++) {
        const struct tcpwhy_ports *earlier = &g_array_index(views, struct tcpwhy_ports, i);

        if (!same_view(earlier, view))
            continue;
        add_earlier(view, earlier);
        g_array_remove_index(views, i);
        return;
    }
}

/* Keep the views in order, and no more than the bound. */
static void keep(GArray *views, const struct tcpwhy_ports *view)
{
    guint at = views->len;

    while (at > 0 && outranks(view, &g_array_index(views, struct tcpwhy_ports, at - 1)))
        at--;
    if (at == MAX_VIEWS)
        return;
    g_array_insert_vals(views, at, view, 1);
    if (views->len > MAX_VIEWS)
        g_array_set_size(views, MAX_VIEWS);
}

/* In the order in which they are shown where nothing else tells them apart. */
static int by_pair(const struct tw_opening *x, const struct tw_opening *y)
{
    int client = memcmp(x->client, y->client, sizeof x->client);

    if (x->listener != y->listener)
        return x->listener < y->listener ? -1 : 1;
    return client ? client : x->version - y->version;
}

/* The first of these views, and of each an opening. */
struct ranking {
    struct tcpwhy_ports view[MAX_VIEWS];
    const struct tw_opening *opening[MAX_VIEWS];
    guint n;
};

static void rank(struct ranking *r, const struct tcpwhy_ports *view, const struct tw_opening *o)
{
    guint at = r->n;

    while (at > 0 && (outranks(view, &r->view[at - 1]) ||
                      (!outranks(&r->view[at - 1], view) && by_pair(o, r->opening[at - 1]) < 0)))
        at--;
    if (at == MAX_VIEWS)
        return;
    r->n = MIN(r->n + 1, MAX_VIEWS);
    for (guint i = r->n - 1; i > at; i--) {
        r->view[i] = r->view[i - 1];
        r->opening[i] = r->opening[i - 1];
    }
    r->view[at] = *view;
    r->opening[at] = o;
}

void tw_ports_count(const struct tw_opening *attempts, guint n, GArray *views,
                    struct tcpwhy_endpoint (*endpoint_of)(gconstpointer user, guint listener),
                    gconstpointer user)
{
    struct counting c = { g_new0(guint, N_PORTS), g_new(tcpwhy_ns, n + 1) };
    struct ranking ranking = { .n = 0 };
    struct tw_port_pairs pairs;
    struct pair p;

    tw_port_pairs_find(attempts, n, &pairs);
    p.opening = pairs.opening;
    for (guint i = 0; i < pairs.n; p.opening += p.n, i++) {
        p.n = pairs.pair[i].n;

        struct tcpwhy_ports view = count(&p, &c);

        view.listener = endpoint_of(user, p.opening[0]->listener);
        take_earlier(views, &view);
        rank(&ranking, &view, p.opening[0]);
    }
    for (guint i = 0; i < ranking.n; i++)
        keep(views, &ranking.view[i]);
    tw_port_pairs_clear(&pairs);
    g_free(c.last);
    g_free(c.end_ns);
}
