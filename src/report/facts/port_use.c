/* SPDX-License-Identifier: MIT */
#include "report/facts/port_use.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Linux keeps the port of the side that closed first for this long (TCP_TIMEWAIT_LEN,
 * include/net/tcp.h). */
#define KEPT_NS TCPWHY_S(60)

/* Ports drawn at random from a kernel's whole range do not form a block of this many. */
#define LEAST_BLOCK 16

/* A block has no gaps except ports missing from the capture. */
#define DENSE_SHARE 0.95

void tw_port_counter_init(struct tw_port_counter *c, guint most)
{
    c->last = NULL;
    c->span = 0;
    c->end_ns = tw_new0(tcpwhy_ns, most + 1);
    c->kept_ns[0] = tw_new0(tcpwhy_ns, most + 1);
    c->kept_ns[1] = tw_new0(tcpwhy_ns, most + 1);
    c->full = tw_array_new(FALSE, FALSE, sizeof(struct tw_full_time));
}

void tw_port_counter_clear(struct tw_port_counter *c)
{
    tw_free(c->last);
    tw_free(c->end_ns);
    tw_free(c->kept_ns[0]);
    tw_free(c->kept_ns[1]);
    tw_array_free(c->full, TRUE);
}

/* The table of ports has room for those of a pair, whose lowest and highest the view knows. */
static void make_room(struct tw_port_counter *c, const struct tcpwhy_ports *v)
{
    guint span = (guint)v->highest - v->lowest + 1;

    if (span <= c->span)
        return;
    span = MAX(span, 2 * c->span);
    c->last = tw_renew(guint, c->last, span);
    memset(c->last + c->span, 0, (span - c->span) * sizeof *c->last);
    c->span = span;
}

static int by_time(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

static void sort(tcpwhy_ns *values, guint n)
{
    for (guint i = 1; i < n; i++) {
        if (values[i - 1] <= values[i])
            continue;
        qsort(values, n, sizeof *values, by_time);
        return;
    }
}

static tcpwhy_ns a_minute_after(tcpwhy_ns at_ns)
{
    return at_ns > INT64_MAX - KEPT_NS ? INT64_MAX : at_ns + KEPT_NS;
}

/* The client can use a port again once the connection is over, unless it closed first, or nobody
 * saw the end. */
static tcpwhy_ns port_end(const struct tw_opening *o)
{
    return o->released && !o->kept_by_client ? o->last_ns : a_minute_after(o->last_ns);
}

/* Find the time until which each opening occupies its port: at most until the port is used
 * again. */
static void find_ends(const struct tw_port_pair_use *p, struct tw_port_counter *c,
                      struct tcpwhy_ports *view)
{
    guint *last = c->last, lowest = view->lowest;

    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];
        guint before = last[o->port - lowest];

        if (before)
            c->end_ns[before - 1] = MIN(c->end_ns[before - 1], o->first_ns);
        else
            view->ports++;
        last[o->port - lowest] = i + 1;
        c->end_ns[i] = port_end(o);
    }
    for (guint i = 0; i < p->n; i++)
        last[p->opening[i]->port - lowest] = 0;
}

/* The most sockets in TIME-WAIT at once: of sorted beginnings, each lasts a minute. One that is
 * used again ends with that, which only lessens the number: ends[] knows. */
static uint32_t most_kept(const struct tw_port_pair_use *p, struct tw_port_counter *c,
                          const struct tcpwhy_ports *view, int side)
{
    guint *last = c->last, lowest = view->lowest;
    tcpwhy_ns *from = c->kept_ns[0], *to = c->kept_ns[1];
    uint32_t now = 0, most = 0;
    guint n = 0, ended = 0;

    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];
        guint before = last[o->port - lowest];

        if (before)
            to[before - 1] = MIN(to[before - 1], o->first_ns);
        last[o->port - lowest] = 0;
        if (side == TCPWHY_CLIENT ? !o->kept_by_client : !o->kept_by_server)
            continue;
        from[n] = o->last_ns;
        to[n] = a_minute_after(o->last_ns);
        last[o->port - lowest] = ++n;
    }
    for (guint i = 0; i < p->n; i++)
        last[p->opening[i]->port - lowest] = 0;
    sort(from, n);
    sort(to, n);
    for (guint i = 0; i < n; i++) {
        for (; ended < i && to[ended] <= from[i]; ended++)
            now--;
        now++;
        most = MAX(most, now);
    }
    return most;
}

bool tw_port_use_is_block(const struct tcpwhy_ports *v)
{
    uint32_t span = (uint32_t)v->highest - v->lowest + 1;

    return v->ports >= LEAST_BLOCK && v->ports >= DENSE_SHARE * span;
}

static uint32_t full_at(const struct tcpwhy_ports *v)
{
    return tw_port_use_is_block(v) ? MAX(1u, (uint32_t)(DENSE_SHARE * v->ports)) : UINT32_MAX;
}

static void add_full(tw_array *full, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    struct tw_full_time time = { from_ns, to_ns };

    tw_array_append_val(full, time);
}

/* The most ports at once, and when a block had none left: beginnings and ends, in order of time. */
static void sweep(const struct tw_port_pair_use *p, struct tw_port_counter *c,
                  struct tcpwhy_ports *v)
{
    uint32_t now = 0, limit = full_at(v);
    tcpwhy_ns since = INT64_MAX;
    guint ended = 0;

    sort(c->end_ns, p->n);
    for (guint i = 0; i < p->n; i++) {
        const struct tw_opening *o = p->opening[i];

        for (; ended < i && c->end_ns[ended] <= o->first_ns; ended++) {
            if (now-- == limit)
                add_full(c->full, since, c->end_ns[ended]);
        }
        if (++now == limit) {
            since = o->first_ns;
            if (v->full_from_ns == TCPWHY_NS_UNKNOWN) {
                v->full_from_ns = since;
                v->full_stream = o->stream;
            }
        }
        v->in_use = MAX(v->in_use, now);
    }
    for (; ended < p->n && now >= limit; ended++)
        if (now-- == limit)
            add_full(c->full, since, c->end_ns[ended]);
}

static tcpwhy_ns time_in(const tw_array *full, tcpwhy_ns until_ns)
{
    tcpwhy_ns sum = 0;

    for (guint i = 0; i < full->len; i++) {
        const struct tw_full_time *t = &tw_array_index(full, struct tw_full_time, i);

        sum += MAX(0, MIN(t->to_ns, until_ns) - t->from_ns);
    }
    return sum;
}

void tw_port_use_count(const struct tw_port_pair_use *p, struct tw_port_counter *c,
                       struct tcpwhy_ports *v)
{
    v->full_from_ns = TCPWHY_NS_UNKNOWN;
    make_room(c, v);
    v->time_wait_client = most_kept(p, c, v, TCPWHY_CLIENT);
    v->time_wait_server = most_kept(p, c, v, TCPWHY_SERVER);
    tw_array_set_size(c->full, 0);
    find_ends(p, c, v);
    sweep(p, c, v);
    v->asked_ns = p->opening[p->n - 1]->first_ns - p->opening[0]->first_ns;
    v->full_ns = time_in(c->full, p->opening[p->n - 1]->first_ns);
}

static bool is_within(const tw_array *full, tcpwhy_ns at_ns)
{
    guint low = 0, high = full->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (tw_array_index(full, struct tw_full_time, middle).to_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low < full->len && tw_array_index(full, struct tw_full_time, low).from_ns <= at_ns;
}

void tw_port_use_errors(const struct tw_port_counter *c, const tw_array *errors,
                        bool (*is_of)(gconstpointer user, guint listener), gconstpointer user,
                        struct tcpwhy_ports *v)
{
    tcpwhy_ns *took = tw_new0(tcpwhy_ns, (errors ? errors->len : 0) + 1);

    for (guint i = 0; errors && i < errors->len; i++) {
        const struct tw_error_answer *e = &tw_array_index(errors, struct tw_error_answer, i);

        if (!is_of(user, e->listener))
            continue;
        v->errors++;
        if (is_within(c->full, e->at_ns))
            took[v->errors_while_full++] = e->took_ns;
    }
    sort(took, (guint)v->errors_while_full);
    if (v->errors_while_full > 0)
        v->errors_median_ns = took[v->errors_while_full / 2];
    tw_free(took);
}
