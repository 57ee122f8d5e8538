/* SPDX-License-Identifier: MIT */
#include "report/facts/ports.h"

#include <string.h>

#include "base/array.h"
#include "report/endpoints.h"
#include "report/facts/port_pairs.h"
#include "report/facts/port_use.h"

#define MAX_VIEWS 32

/* Default client ports: Windows, macOS, BSD and RFC 6335 from 49152; Linux 32768 to 60999
 * (net.ipv4.ip_local_port_range); other ranges were configured. */
#define IANA_FIRST  49152
#define LINUX_FIRST 32768
#define LINUX_LAST  60999
#define ANY_FIRST   1024
#define LAST        65535

/* Linux looks for a free port in two halves and gets slow well before the last one is gone. */
#define EXHAUSTED_SHARE 0.9

/* A port that was used again too soon may be chance; this many are not. */
#define EXHAUSTED_FAILURES 3

/* A client that reuses each port, and had no free port for this part of its time, waits for
 * ports. */
#define USED_AGAIN 2
#define FULL_SHARE 0.5
/* Fewer errors while none was free may be chance. */
#define LEAST_ERRORS 3

/* Failures of five-tuples that are used again count where others fail less often. */
#define MORE_OFTEN 2

static uint32_t range_of(uint16_t lowest, uint16_t highest)
{
    if (lowest >= IANA_FIRST)
        return LAST - IANA_FIRST + 1;
    if (lowest >= LINUX_FIRST && highest <= LINUX_LAST)
        return LINUX_LAST - LINUX_FIRST + 1;
    return LAST - ANY_FIRST + 1;
}

/* Had the client more to ask while no port was free? */
static bool is_used_up(const struct tcpwhy_ports *v)
{
    bool waits = v->connections >= (uint64_t)USED_AGAIN * v->ports &&
                 (double)v->full_ns >= FULL_SHARE * (double)v->asked_ns;
    bool fails = v->errors_while_full >= LEAST_ERRORS && 2 * v->errors_while_full >= v->errors;

    return tw_port_use_is_block(v) && v->full_from_ns != TCPWHY_NS_UNKNOWN && (waits || fails);
}

/* Failures of others: a listener that fails everybody does not speak of ports. */
static bool is_reused_in_vain(const struct tcpwhy_ports *v, uint64_t other_failures)
{
    uint64_t others = v->connections - v->reused;

    return v->reuse_failed >= EXHAUSTED_FAILURES &&
           (double)v->reuse_failed * (double)others >=
               MORE_OFTEN * (double)other_failures * (double)v->reused;
}

/* Ports that were asked for and never led to a connection are a scan's or a flood's. */
static bool is_exhausted(const struct tcpwhy_ports *v, uint64_t opened, uint64_t other_failures)
{
    if (opened * 2 < v->connections)
        return false;
    return v->used_up || v->in_use >= EXHAUSTED_SHARE * v->range ||
           is_reused_in_vain(v, other_failures);
}

/* The errors of a pair's client: those of listeners at its own address, or on its own machine. */
struct own {
    const struct tcpwhy_ports *view;
    struct tcpwhy_endpoint (*endpoint_of)(gconstpointer user, guint listener);
    gconstpointer user;
};

static bool is_own(gconstpointer data, guint listener)
{
    const struct own *own = data;
    struct tcpwhy_endpoint front = own->endpoint_of(own->user, listener);

    if (tw_endpoint_equal(&front, &own->view->listener))
        return false;
    front.port = 0;
    return tw_endpoint_is_loopback(&own->view->client) ||
           tw_endpoint_equal(&front, &own->view->client);
}

static struct tcpwhy_ports count(const struct tw_port_pair_use *p, struct tw_port_counter *c,
                                 const tw_array *errors, struct own *own)
{
    struct tcpwhy_ports v = { .connections = p->n, .lowest = UINT16_MAX };
    uint64_t opened = 0, other_failures = 0;

    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];

        v.lowest = MIN(v.lowest, o->port);
        v.highest = MAX(v.highest, o->port);
        v.reused += o->reused;
        v.reuse_failed += o->reused && o->failed;
        other_failures += !o->reused && o->failed;
        opened += o->outcome == TW_SETUP_OPEN || o->outcome == TW_SETUP_UNSEEN;
    }
    v.range = range_of(v.lowest, v.highest);
    v.client.version = p->opening[0]->version;
    memcpy(v.client.address, p->opening[0]->client, sizeof v.client.address);
    v.listener = own->endpoint_of(own->user, p->opening[0]->listener);
    v.errors_median_ns = TCPWHY_NS_UNKNOWN;
    tw_port_use_count(p, c, &v);
    own->view = &v;
    if (c->full->len > 0)
        tw_port_use_errors(c, errors, is_own, own, &v);
    own->view = NULL;
    v.used_up = is_used_up(&v);
    if (v.used_up)
        v.range = (uint32_t)v.highest - v.lowest + 1;
    v.exhausted = is_exhausted(&v, opened, other_failures);
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

/* Add what was counted of the same pair before: sums and maxima. */
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
    v->errors_while_full += earlier->errors_while_full;
    v->full_ns += earlier->full_ns;
    v->asked_ns += earlier->asked_ns;
    v->time_wait_client = MAX(v->time_wait_client, earlier->time_wait_client);
    v->time_wait_server = MAX(v->time_wait_server, earlier->time_wait_server);
    if (earlier->full_from_ns != TCPWHY_NS_UNKNOWN) {
        v->full_from_ns = earlier->full_from_ns;
        v->full_stream = earlier->full_stream;
    }
    v->used_up |= earlier->used_up;
    if (v->used_up)
        v->range = (uint32_t)v->highest - v->lowest + 1;
}

static void take_earlier(tw_array *views, struct tcpwhy_ports *view)
{
    for (guint i = 0; i < views->len; i++) {
        const struct tcpwhy_ports *earlier = &tw_array_index(views, struct tcpwhy_ports, i);

        if (!same_view(earlier, view))
            continue;
        add_earlier(view, earlier);
        tw_array_remove_index(views, i);
        return;
    }
}

/* Keep the views in order, and no more than the bound. */
static void keep(tw_array *views, const struct tcpwhy_ports *view)
{
    guint at = views->len;

    while (at > 0 && outranks(view, &tw_array_index(views, struct tcpwhy_ports, at - 1)))
        at--;
    if (at == MAX_VIEWS)
        return;
    tw_array_insert_vals(views, at, view, 1);
    if (views->len > MAX_VIEWS)
        tw_array_set_size(views, MAX_VIEWS);
}

/* Order of views that are equal otherwise. */
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

void tw_ports_count(const struct tw_opening *attempts, guint n, const tw_array *errors,
                    tw_array *views,
                    struct tcpwhy_endpoint (*endpoint_of)(gconstpointer user, guint listener),
                    gconstpointer user)
{
    struct own own = { NULL, endpoint_of, user };
    struct tw_port_counter c;
    struct ranking ranking = { .n = 0 };
    struct tw_port_pairs pairs;
    struct tw_port_pair_use p;

    tw_port_counter_init(&c, n);
    tw_port_pairs_find(attempts, n, &pairs);
    p.opening = pairs.opening;
    for (guint i = 0; i < pairs.n; p.opening += p.n, i++) {
        p.n = pairs.pair[i].n;

        struct tcpwhy_ports view = count(&p, &c, errors, &own);

        take_earlier(views, &view);
        rank(&ranking, &view, p.opening[0]);
    }
    for (guint i = 0; i < ranking.n; i++)
        keep(views, &ranking.view[i]);
    tw_port_pairs_clear(&pairs);
    tw_port_counter_clear(&c);
}
