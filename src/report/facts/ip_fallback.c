/* SPDX-License-Identifier: MIT */
#include "report/facts/ip_fallback.h"

#include <string.h>

#include "base/array.h"
#include "report/endpoints.h"

/* The next SYN comes twice as long after this one as this one after the last (RFC 6298, 5.5); the
 * first timer is a second (section 2). An attempt that lets that time pass was given up. */
#define FIRST_TIMER_NS TCPWHY_S(1)

/* Clients try another address this long after the first SYN at the earliest (RFC 8305, section
 * 5). */
#define LEAST_DELAY_NS TCPWHY_MS(10)

/* The most connections that are looked at of those that began in that time. */
#define MOST_LOOKED 256

/* More than that nobody reads. */
#define MOST_FALLBACKS 4096

struct search {
    const struct tw_opening **by_time; /* those that were answered by IPv4 */
    guint n;
    bool *taken;
    struct tcpwhy_endpoint (*endpoint)(gconstpointer listeners, guint number);
    gconstpointer listeners;
    tcpwhy_ns end_ns;
};

static struct tcpwhy_endpoint client_of(const struct tw_opening *o)
{
    struct tcpwhy_endpoint e = { .port = o->port, .version = o->version };

    memcpy(e.address, o->client, sizeof o->client);
    return e;
}

static struct tcpwhy_endpoint server_of(const struct search *s, const struct tw_opening *o)
{
    return s->endpoint(s->listeners, o->listener);
}

static int by_time(gconstpointer a, gconstpointer b)
{
    const struct tw_opening *x = *(const struct tw_opening *const *)a;
    const struct tw_opening *y = *(const struct tw_opening *const *)b;

    if (x->syn_ns != y->syn_ns)
        return x->syn_ns < y->syn_ns ? -1 : 1;
    return (x->stream > y->stream) - (x->stream < y->stream);
}

static guint first_after(const struct search *s, tcpwhy_ns ns)
{
    guint low = 0, high = s->n;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (s->by_time[middle]->syn_ns < ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The time at which a client that had not given up would have retransmitted its SYN. */
static tcpwhy_ns next_syn_ns(const struct tw_opening *o)
{
    return o->last_syn_ns + (o->last_syn_ns - o->syn_ns) + FIRST_TIMER_NS;
}

/* A client that was answered elsewhere asks no more. */
static bool may_replace(const struct tw_opening *vain, const struct tw_opening *other)
{
    return vain->last_syn_ns <= other->answer_ns;
}

/* The first connection to that port that began in time; *hosts: how many hosts opened one. */
static int replacement(const struct search *s, const struct tw_opening *vain, unsigned *hosts)
{
    tcpwhy_ns until_ns = next_syn_ns(vain);
    struct tcpwhy_endpoint server = server_of(s, vain), host = { .version = 0 };
    guint first = first_after(s, vain->syn_ns + LEAST_DELAY_NS);
    int found = -1;

    *hosts = 0;
    for (guint i = first; i < s->n && i - first < MOST_LOOKED; i++) {
        const struct tw_opening *o = s->by_time[i];
        struct tcpwhy_endpoint client = client_of(o);

        if (o->syn_ns > until_ns)
            break;
        if (s->taken[i] || server_of(s, o).port != server.port || !may_replace(vain, o))
            continue;
        if (found < 0)
            found = (int)i;
        if (*hosts == 0 || !tw_endpoint_same_host(&host, &client))
            ++*hosts;
        host = client;
    }
    return found;
}

static void look_for(struct search *s, const struct tw_opening *vain, tw_array *out)
{
    unsigned hosts;
    int i = replacement(s, vain, &hosts);
    const struct tw_opening *o;
    struct tw_ip_fallback f;

    if (i < 0)
        return;
    o = s->by_time[i];
    s->taken[i] = true;
    f = (struct tw_ip_fallback) {
        .stream = vain->stream,
        .instead = o->stream,
        .client = client_of(vain),
        .server = server_of(s, vain),
        .client4 = client_of(o),
        .server4 = server_of(s, o),
        .asked_ns = vain->syn_ns,
        .began_ns = o->syn_ns,
        .frame = vain->first_frame,
        .instead_frame = o->first_frame,
        .syns = vain->unanswered,
        .sure = hosts == 1 && next_syn_ns(vain) <= s->end_ns,
    };
    tw_array_append_val(out, f);
}

/* A client does again what it did before: then it need not be seen that it gave up. */
static void trust_habits(tw_array *fallbacks)
{
    for (guint i = 1; i < fallbacks->len; i++) {
        struct tw_ip_fallback *f = &tw_array_index(fallbacks, struct tw_ip_fallback, i);
        const struct tw_ip_fallback *before = f - 1;

        f->sure |= before->sure && tw_endpoint_same_host(&before->client, &f->client) &&
                   tw_endpoint_same_host(&before->client4, &f->client4);
    }
}

static bool is_in_vain(const struct tw_opening *o)
{
    return o->version == 6 && o->outcome == TW_SETUP_SILENT && o->unanswered > 0;
}

static bool is_answered(const struct tw_opening *o)
{
    return o->version == 4 && o->outcome == TW_SETUP_OPEN && o->answer_ns != TCPWHY_NS_UNKNOWN;
}

tw_array *tw_ip_fallbacks(struct tw_connection_attempts *attempts,
                          struct tcpwhy_endpoint (*endpoint)(gconstpointer listeners, guint number),
                          gconstpointer listeners, tcpwhy_ns end_ns)
{
    const tw_array *all = tw_connection_attempts_all(attempts);
    tw_array *out = tw_array_new(FALSE, FALSE, sizeof(struct tw_ip_fallback));
    const struct tw_opening **vain = tw_new(const struct tw_opening *, all->len + 1);
    struct search s = { .by_time = tw_new(const struct tw_opening *, all->len + 1),
                        .endpoint = endpoint,
                        .listeners = listeners,
                        .end_ns = end_ns };
    guint n = 0;

    for (guint i = 0; i < all->len; i++) {
        const struct tw_opening *o = &tw_array_index(all, struct tw_opening, i);

        if (is_in_vain(o))
            vain[n++] = o;
        else if (is_answered(o))
            s.by_time[s.n++] = o;
    }
    s.taken = tw_new0(bool, s.n + 1);
    qsort(s.by_time, s.n, sizeof(const struct tw_opening *), by_time);
    qsort(vain, n, sizeof(const struct tw_opening *), by_time);
    for (guint i = 0; i < n && out->len < MOST_FALLBACKS; i++)
        look_for(&s, vain[i], out);
    trust_habits(out);
    tw_free(s.taken);
    tw_free(s.by_time);
    tw_free(vain);
    return out;
}
