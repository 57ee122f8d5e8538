/* SPDX-License-Identifier: MIT */
/*
 * Names that nobody resolved, and next hops that never answered: no connection shows them.
 */
#include "base/array.h"
#include "base/hash_table.h"
#include "names/names.h"
#include "report/endpoints.h"
#include "report/failures/failure_entry.h"

/* A resolver's default timeout (resolv.conf(5), RES_TIMEOUT). */
#define TIMEOUT_NS TCPWHY_S(5)

/* ... and at least that long. */
#define LEAST_NS TCPWHY_S(1)

/* ARP and neighbour requests before a host gives up (RFC 4861, 10: MAX_MULTICAST_SOLICIT). */
#define SOLICITS 3

/* A client that asks for more hosts than this in vain is scanning. By judgement. */
#define SCANNED 8

struct search {
    const struct tw_names *names;
    tcpwhy_ns end_ns;       /* of the capture */
    bool no_tcp;            /* in it */
    tw_hash_table *heard;   /* hosts that an answer of any kind came to */
    tw_hash_table *in_vain; /* hosts that asked for others in vain, and how often */
    tw_array *entries;
    guint most;
};

static void hear(tw_hash_table *hosts, const struct tcpwhy_endpoint *host)
{
    guint n = GPOINTER_TO_UINT(tw_hash_table_lookup(hosts, host));

    tw_hash_table_insert(hosts, (gpointer)(uintptr_t)host, GUINT_TO_POINTER(n + 1));
}

static void listen(struct search *s)
{
    for (guint i = 0; i < tw_lookups_n(s->names->lookups); i++) {
        const struct tw_lookup *l = tw_lookups_at(s->names->lookups, i);

        if (l->answered_ns != TCPWHY_NS_UNKNOWN)
            hear(s->heard, &l->client);
    }
    for (guint i = 0; i < tw_neighbours_n(s->names->neighbours); i++) {
        const struct tw_neighbour *n = tw_neighbours_at(s->names->neighbours, i);

        hear(n->answered_ns == TCPWHY_NS_UNKNOWN ? s->in_vain : s->heard, &n->asker);
    }
}

static void keep(struct search *s, const struct tw_failure_entry *e)
{
    if (s->entries->len < s->most)
        tw_array_append_val(s->entries, *e);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_answered(const struct tw_lookup *l)
{
    return l->answered_ns != TCPWHY_NS_UNKNOWN &&
           (l->code == TW_DNS_NO_ERROR || l->code == TW_DNS_NXDOMAIN);
}

/* The newest lookup of the name by the same host. */
static const struct tw_lookup *newest(const struct search *s, const struct tw_lookup *l,
                                      uint16_t type)
{
    guint i = tw_lookups_find(s->names->lookups, &l->client, l->name, type);

    return i == TW_NO_LOOKUP ? NULL : tw_lookups_at(s->names->lookups, i);
}

/* Was the name answered later, or for the other family? And one failure per name. */
static bool is_told_otherwise(const struct search *s, const struct tw_lookup *l)
{
    const struct tw_lookup *later = newest(s, l, l->type), *a = newest(s, l, TW_DNS_A);
    const struct tw_lookup *aaaa = newest(s, l, TW_DNS_AAAA);
    bool family = l->type == TW_DNS_A || l->type == TW_DNS_AAAA;

    if (later != l)
        return true;
    return family &&
           ((a && is_answered(a)) || (aaaa && is_answered(aaaa)) || (l->type == TW_DNS_AAAA && a));
}

/* A host that asks twice more has waited twice in vain, wherever the capture ends. */
#define SURELY_IN_VAIN 3

/* Did the host wait for an answer in vain? That it asks again shows that none came. */
static bool waited_in_vain(const struct search *s, const struct tw_lookup *l)
{
    tcpwhy_ns since_ns = s->end_ns - l->last_query_ns;

    if (l->n_queries >= SURELY_IN_VAIN && l->last_query_ns - l->first_ns >= LEAST_NS)
        return true;
    if (since_ns < LEAST_NS)
        return false;
    if (l->n_queries < 2)
        return since_ns >= TIMEOUT_NS && tw_hash_table_contains(s->heard, &l->client);
    return since_ns >= (l->last_query_ns - l->first_ns) / (l->n_queries - 1);
}

/* The end of a lookup that failed. */
struct fate {
    bool answered, unreachable; /* by an error of DNS, or of ICMP; neither: not at all */
    tcpwhy_ns at_ns;
    uint32_t frame;
};

static struct fate fate_of(const struct tw_lookup *l)
{
    if (l->answered_ns != TCPWHY_NS_UNKNOWN)
        return (struct fate) { true, false, l->answered_ns, l->answer_frame };
    if (l->unreachable_frame > 0)
        return (struct fate) { false, true, l->unreachable_ns, l->unreachable_frame };
    return (struct fate) { false, false, l->last_query_ns, l->last_query_frame };
}

static void look_at_lookup(struct search *s, const struct tw_lookup *l)
{
    const struct fate fate = fate_of(l);
    const bool told = fate.answered || fate.unreachable;
    struct tw_failure_entry e = {
        .stream = TCPWHY_NO_STREAM,
        .client = l->client,
        .server = l->resolver,
        .failure = { .kind = told ? TCPWHY_FAILURE_NAME_REFUSED : TCPWHY_FAILURE_NAME_UNANSWERED,
                     .failed = TCPWHY_FAILED_LOOKUP,
                     .seen_as = TCPWHY_SEEN_TRY_AGAIN,
                     .who = told ? TCPWHY_BY_SERVER : TCPWHY_BY_UNKNOWN,
                     .confidence =
                         told || (l->n_queries > 1 && s->end_ns - l->last_query_ns >= LEAST_NS)
                             ? TCPWHY_CERTAIN
                             : TCPWHY_LIKELY,
                     .name = l->name,
                     .time_ns = l->first_ns,
                     .after_ns = fate.at_ns - l->first_ns,
                     .frames = { l->first_frame, fate.frame },
                     .n_frames = told || l->n_queries > 1 ? 2 : 1 },
    };

    if (is_answered(l) || is_told_otherwise(s, l) ||
        (told ? l->type != TW_DNS_A && l->type != TW_DNS_AAAA : !waited_in_vain(s, l)))
        return;
    tw_failure_entry_clue(&e, TW_CLUE_QUERIES, l->n_queries, (double)e.failure.after_ns / 1e6);
    if (fate.answered)
        tw_failure_entry_clue(&e, TW_CLUE_DNS_CODE, l->code, 0);
    if (fate.unreachable)
        tw_failure_entry_clue(&e, TW_CLUE_ICMP, l->unreachable_code, 0);
    keep(s, &e);
}

/* ---- next hops ------------------------------------------------------------------------------- */

/* A capture elsewhere in the network sees requests, which go to all, and no answers, which do
 * not: the host must have been seen to get one, or be the only one that asks. */
static bool hears_answers(const struct search *s, const struct tcpwhy_endpoint *asker)
{
    return tw_hash_table_contains(s->heard, asker) || tw_hash_table_size(s->in_vain) == 1;
}

/* Routers and monitors ask for hosts that nobody misses: beside connections only a host counts
 * that the asker had looked up. */
static bool is_missed(const struct search *s, const struct tw_neighbour *n)
{
    return s->no_tcp || tw_lookups_giving(s->names->lookups, &n->asker, &n->target) != TW_NO_LOOKUP;
}

static void look_at_neighbour(struct search *s, const struct tw_neighbour *n)
{
    struct tw_failure_entry e = {
        .stream = TCPWHY_NO_STREAM,
        .client = n->asker,
        .server = n->target,
        .failure = { .kind = TCPWHY_FAILURE_NEXT_HOP_UNANSWERED,
                     .failed = TCPWHY_FAILED_CONNECT,
                     .seen_as = TCPWHY_SEEN_UNREACHABLE,
                     .who = TCPWHY_BY_SERVER,
                     .confidence = TCPWHY_LIKELY,
                     .time_ns = n->first_ns,
                     .after_ns = n->last_ns - n->first_ns,
                     .frames = { n->first_frame, n->last_frame },
                     .n_frames = 2 },
    };

    if (n->answered_ns != TCPWHY_NS_UNKNOWN || n->n_requests < SOLICITS || !is_missed(s, n) ||
        tw_neighbours_speaks(s->names->neighbours, &n->target) || !hears_answers(s, &n->asker) ||
        GPOINTER_TO_UINT(tw_hash_table_lookup(s->in_vain, &n->asker)) > SCANNED)
        return;
    tw_failure_entry_clue(&e, TW_CLUE_QUERIES, n->n_requests, (double)e.failure.after_ns / 1e6);
    keep(s, &e);
}

void tw_failures_of_names(const struct tw_names *names, tcpwhy_ns end_ns, bool no_tcp, guint most,
                          tw_array *entries)
{
    struct search s = { names,
                        end_ns,
                        no_tcp,
                        tw_hash_table_new(tw_endpoint_hash, tw_endpoint_equal),
                        tw_hash_table_new(tw_endpoint_hash, tw_endpoint_equal),
                        entries,
                        most };

    listen(&s);
    for (guint i = 0; i < tw_lookups_n(names->lookups); i++)
        look_at_lookup(&s, tw_lookups_at(names->lookups, i));
    for (guint i = 0; i < tw_neighbours_n(names->neighbours); i++)
        look_at_neighbour(&s, tw_neighbours_at(names->neighbours, i));
    tw_hash_table_destroy(s.heard);
    tw_hash_table_destroy(s.in_vain);
}
