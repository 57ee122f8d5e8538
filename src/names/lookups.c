/* SPDX-License-Identifier: MIT */
#include "names/lookups.h"

#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/text.h"
#include "names/host.h"

/* A host's resolver waits no longer for an answer (resolv.conf(5), RES_MAXRETRANS): what it asks
 * later is asked anew. */
#define RETRY_NS TCPWHY_S(30)

/* ... and sends the same query again after 5 s (RES_TIMEOUT), unless it is told otherwise. */
#define TIMEOUT_NS TCPWHY_S(5)

/* A host's resolver waits a second or more before it asks again (resolv.conf(5)): the same query
 * sooner is a copy, seen at another interface. Judgement: far below that, far above what an
 * interface takes. */
#define COPY_NS TCPWHY_MS(300)

/* After an error the next resolver is asked, or the same one again, at once. */
#define ANOTHER_NS TCPWHY_S(1)

/* A client and the name that it asked for. */
struct question {
    struct tcpwhy_endpoint client;
    const char *name;
    uint16_t type;
};

/* An address in an answer to a host. */
struct given {
    struct tcpwhy_endpoint client, address;
};

/* A query that awaits its answer: an answer has its addresses and ports, and its number. */
struct query {
    struct tcpwhy_endpoint client, resolver; /* with their ports */
    uint16_t id;
};

struct tw_lookups {
    tw_hash_table *awaited; /* struct query to when it was first sent */
    tw_array *all;          /* struct tw_lookup */
    tw_hash_table *newest;  /* struct question to its number */
    tw_hash_table *given;   /* struct given to its number */
    tw_hash_table *names;   /* struct tcpwhy_endpoint to the name */
    tw_string_chunk *texts;
    guint most;
    uint64_t dropped;
};

static uint64_t hash_question(gconstpointer key, uint64_t seed)
{
    const struct question *q = key;

    return tw_hash_bytes(q->name, strlen(q->name), tw_host_hash(&q->client, seed ^ q->type));
}

static gboolean same_question(gconstpointer a, gconstpointer b)
{
    const struct question *x = a, *y = b;

    return x->type == y->type && tw_host_equal(&x->client, &y->client) &&
           strcmp(x->name, y->name) == 0;
}

static uint64_t hash_given(gconstpointer key, uint64_t seed)
{
    const struct given *g = key;

    return tw_host_hash(&g->client, tw_host_hash(&g->address, seed));
}

static gboolean same_given(gconstpointer a, gconstpointer b)
{
    const struct given *x = a, *y = b;

    return tw_host_equal(&x->client, &y->client) && tw_host_equal(&x->address, &y->address);
}

static uint64_t hash_query(gconstpointer key, uint64_t seed)
{
    const struct query *q = key;

    const uint64_t number = (uint64_t)q->client.port << 16 | q->id;

    return tw_host_hash(&q->client, tw_host_hash(&q->resolver, seed ^ number));
}

static gboolean same_query(gconstpointer a, gconstpointer b)
{
    const struct query *x = a, *y = b;

    return x->id == y->id && x->client.port == y->client.port &&
           tw_host_equal(&x->client, &y->client) && tw_host_equal(&x->resolver, &y->resolver);
}

static struct query query_of(const struct tw_tuple *t, int client, uint16_t id)
{
    return (struct query) { tw_tuple_endpoint(t, client), tw_tuple_endpoint(t, 1 - client), id };
}

/* The same at whatever address: a host may ask over all of its interfaces from one port and take
 * the first answer, and only one of them need be captured. Others take answers only from whom they
 * asked (RFC 5452, 9.1), and ask again. */
static struct query at_any(const struct query *q)
{
    return (struct query) { .client = q->client, .id = q->id };
}

struct tw_lookups *tw_lookups_new(guint most)
{
    struct tw_lookups *l = tw_new0(struct tw_lookups, 1);

    l->all = tw_array_new(FALSE, FALSE, sizeof(struct tw_lookup));
    l->newest = tw_hash_table_new_full(hash_question, same_question, tw_free, NULL);
    l->given = tw_hash_table_new_full(hash_given, same_given, tw_free, NULL);
    l->names = tw_hash_table_new_full(tw_host_hash, tw_host_equal, tw_free, NULL);
    l->awaited = tw_hash_table_new_full(hash_query, same_query, tw_free, tw_free);
    l->texts = tw_string_chunk_new(1024);
    l->most = most;
    return l;
}

void tw_lookups_free(struct tw_lookups *l)
{
    if (!l)
        return;
    tw_array_free(l->all, TRUE);
    tw_hash_table_destroy(l->newest);
    tw_hash_table_destroy(l->given);
    tw_hash_table_destroy(l->names);
    tw_hash_table_destroy(l->awaited);
    tw_string_chunk_free(l->texts);
    tw_free(l);
}

struct tw_lookup *tw_lookups_at(const struct tw_lookups *l, guint i)
{
    return &tw_array_index(l->all, struct tw_lookup, i);
}

guint tw_lookups_n(const struct tw_lookups *l)
{
    return l->all->len;
}

uint64_t tw_lookups_dropped(const struct tw_lookups *l)
{
    return l->dropped;
}

guint tw_lookups_find(const struct tw_lookups *l, const struct tcpwhy_endpoint *client,
                      const char *name, uint16_t type)
{
    return tw_host_number(l->newest, &(struct question) { *client, name, type }, TW_NO_LOOKUP);
}

guint tw_lookups_giving(const struct tw_lookups *l, const struct tcpwhy_endpoint *client,
                        const struct tcpwhy_endpoint *address)
{
    return tw_host_number(l->given, &(struct given) { *client, *address }, TW_NO_LOOKUP);
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Is a query at that time one more of the same lookup? */
static bool goes_on(const struct tw_lookup *l, tcpwhy_ns at_ns)
{
    if (l->answered_ns == TCPWHY_NS_UNKNOWN || l->elsewhere)
        return at_ns - l->last_query_ns <= RETRY_NS;
    return at_ns - l->answered_ns <= ANOTHER_NS &&
           (l->truncated || (l->code != TW_DNS_NO_ERROR && l->code != TW_DNS_NXDOMAIN));
}

/* A query that is sent again within a resolver's timeout is the same one. */
static void await(struct tw_lookups *lookups, const struct query *q, tcpwhy_ns at_ns)
{
    const tcpwhy_ns *before_ns = tw_hash_table_lookup(lookups->awaited, q);

    if (before_ns ? at_ns - *before_ns > TIMEOUT_NS
                  : tw_hash_table_size(lookups->awaited) < lookups->most)
        tw_hash_table_insert(lookups->awaited, tw_memdup2(q, sizeof *q),
                             tw_memdup2(&at_ns, sizeof at_ns));
}

static void await_answer(struct tw_lookups *lookups, const struct tw_tuple *t, uint16_t id,
                         tcpwhy_ns at_ns)
{
    struct query q = query_of(t, 0, id), any = at_any(&q);

    await(lookups, &q, at_ns);
    await(lookups, &any, at_ns);
}

/* The same query sooner than any resolver repeats it is the same packet, captured again. */
static bool is_copy(const struct tw_lookups *lookups, const struct tw_tuple *t, uint16_t id,
                    tcpwhy_ns at_ns)
{
    struct query q = query_of(t, 0, id);
    const tcpwhy_ns *before_ns = tw_hash_table_lookup(lookups->awaited, &q);

    return before_ns && at_ns - *before_ns < COPY_NS;
}

static void ask_again(struct tw_lookup *l, const struct tw_tuple *t, bool tcp, tcpwhy_ns at_ns,
                      uint32_t frame)
{
    l->resolver = tw_tuple_endpoint(t, 1);
    l->n_queries += l->n_queries < UINT16_MAX;
    l->tcp |= tcp;
    l->last_query_ns = at_ns;
    l->last_query_frame = frame;
    l->answered_ns = TCPWHY_NS_UNKNOWN;
    l->declined |= l->elsewhere;
    l->elsewhere = false;
    l->unreachable_frame = 0;
}

static guint ask_anew(struct tw_lookups *lookups, const struct question *q, tcpwhy_ns at_ns,
                      uint32_t frame)
{
    struct tw_lookup l = { .client = q->client,
                           .name = tw_string_chunk_insert_const(lookups->texts, q->name),
                           .type = q->type,
                           .first_frame = frame,
                           .first_ns = at_ns,
                           .query_ns = at_ns,
                           .hop = TW_NO_LOOKUP,
                           .stream = UINT32_MAX };
    struct question key = { q->client, l.name, q->type };

    tw_array_append_val(lookups->all, l);
    tw_hash_table_replace(lookups->newest, tw_memdup2(&key, sizeof key),
                          GUINT_TO_POINTER(lookups->all->len - 1));
    return lookups->all->len - 1;
}

static guint take_query(struct tw_lookups *lookups, const struct tw_tuple *t,
                        const struct tw_dns_message *m, bool tcp, tcpwhy_ns at_ns, uint32_t frame)
{
    struct question q = { tw_tuple_endpoint(t, 0), m->name, m->type };
    guint i, begun = TW_NO_LOOKUP;

    q.client.port = 0;
    i = tw_host_number(lookups->newest, &q, TW_NO_LOOKUP);
    if (i == TW_NO_LOOKUP || !goes_on(tw_lookups_at(lookups, i), at_ns)) {
        if (lookups->all->len >= lookups->most) {
            lookups->dropped++;
            return TW_NO_LOOKUP;
        }
        begun = i = ask_anew(lookups, &q, at_ns, frame);
    } else if (is_copy(lookups, t, m->id, at_ns))
        return TW_NO_LOOKUP;
    ask_again(tw_lookups_at(lookups, i), t, tcp, at_ns, frame);
    await_answer(lookups, t, m->id, at_ns);
    return begun;
}

/* ---- answers --------------------------------------------------------------------------------- */

static void keep_addresses(struct tw_lookups *lookups, guint i, const struct tw_dns_message *m)
{
    const struct tw_lookup *l = tw_lookups_at(lookups, i);

    for (uint32_t k = 0; k < m->n_addresses; k++) {
        struct given g = { .client = l->client };

        if (tw_hash_table_size(lookups->given) >= lookups->most)
            return;
        memcpy(g.address.address, m->address[k].address, sizeof g.address.address);
        g.address.version = m->address[k].version;
        tw_hash_table_replace(lookups->given, tw_memdup2(&g, sizeof g), GUINT_TO_POINTER(i));
        tw_hash_table_replace(lookups->names, tw_memdup2(&g.address, sizeof g.address),
                              (gpointer)(uintptr_t)l->name);
    }
}

/* An answer belongs to a query, and so to the newest lookup of its name and type. */
static void take_answer(struct tw_lookups *lookups, const struct tw_tuple *t,
                        const struct tw_dns_message *m, tcpwhy_ns at_ns, uint32_t frame)
{
    struct question q = { tw_tuple_endpoint(t, 1), m->name, m->type };
    struct query asked = query_of(t, 1, m->id), any = at_any(&asked);
    const tcpwhy_ns *asked_ns = tw_hash_table_lookup(lookups->awaited, &asked);
    const bool elsewhere = !asked_ns;
    struct tw_lookup *l;
    guint i;

    q.client.port = 0;
    i = tw_host_number(lookups->newest, &q, TW_NO_LOOKUP);
    l = i == TW_NO_LOOKUP ? NULL : tw_lookups_at(lookups, i);
    if (elsewhere && l && !l->declined)
        asked_ns = tw_hash_table_lookup(lookups->awaited, &any);
    if (l && asked_ns && l->answered_ns == TCPWHY_NS_UNKNOWN) {
        l->elsewhere = elsewhere;
        l->query_ns = *asked_ns;
        l->answered_ns = at_ns;
        l->answer_frame = frame;
        l->resolver = tw_tuple_endpoint(t, 0);
        l->code = m->code;
        l->truncated = m->truncated;
        l->n_addresses = (uint16_t)m->n_addresses;
        keep_addresses(lookups, i, m);
    }
    tw_hash_table_remove(lookups->awaited, &asked);
    tw_hash_table_remove(lookups->awaited, &any);
}

void tw_lookups_take_unreachable(struct tw_lookups *lookups, const struct tw_tuple *tuple,
                                 const struct tw_dns_message *query, uint16_t code, tcpwhy_ns at_ns,
                                 uint32_t frame)
{
    struct tcpwhy_endpoint client = tw_tuple_endpoint(tuple, 0);
    struct tw_lookup *l;
    guint i;

    client.port = 0;
    i = tw_lookups_find(lookups, &client, query->name, query->type);
    if (i == TW_NO_LOOKUP)
        return;
    l = tw_lookups_at(lookups, i);
    l->unreachable_ns = at_ns;
    l->unreachable_frame = frame;
    l->unreachable_code = code;
}

guint tw_lookups_take(struct tw_lookups *lookups, const struct tw_tuple *tuple,
                      const struct tw_dns_message *message, bool tcp, tcpwhy_ns at_ns,
                      uint32_t frame)
{
    if (!message->response && tuple->port[1] == TW_DNS_PORT)
        return take_query(lookups, tuple, message, tcp, at_ns, frame);
    if (message->response && tuple->port[0] == TW_DNS_PORT)
        take_answer(lookups, tuple, message, at_ns, frame);
    return TW_NO_LOOKUP;
}

void tw_lookups_each_name(const struct tw_lookups *l,
                          void (*take)(void *user, const struct tcpwhy_endpoint *address,
                                       const char *name),
                          void *user)
{
    tw_hash_table_iter iter;
    gpointer address, name;

    tw_hash_table_iter_init(&iter, l->names);
    while (tw_hash_table_iter_next(&iter, &address, &name))
        take(user, address, name);
}
