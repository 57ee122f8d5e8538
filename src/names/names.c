/* SPDX-License-Identifier: MIT */
#include "names/names.h"

#include <string.h>

#include "base/array.h"
#include "names/host.h"

/* About what a lookup takes with its name, its keys and its addresses. */
#define ENTRY_BYTES 1024

/* A program connects once it has an address; the resolver's shortest timeout is a second
 * (resolv.conf(5)). An answer that came earlier was for something else, or kept. */
#define CONNECTS_NS TCPWHY_S(1)

/* A resolver tries the domains of its search list one after the other (resolv.conf(5)), each as
 * soon as it knows that the one before has no such name. */
#define NEXT_DOMAIN_NS TCPWHY_MS(10)

/* Lookups of a search that are looked for: Kubernetes allows 32 domains, of two families each. */
#define MOST_SEARCHED 64

struct tw_names *tw_names_new(uint64_t bytes)
{
    struct tw_names *n = tw_new0(struct tw_names, 1);

    n->most = (guint)MIN(bytes / ENTRY_BYTES, G_MAXINT);
    n->lookups = tw_lookups_new(n->most);
    n->neighbours = tw_neighbours_new(n->most);
    n->before = tw_array_new(FALSE, FALSE, sizeof(struct tw_before_syn));
    n->partial = tw_ptr_array_new_with_free_func(tw_partial_free);
    return n;
}

void tw_names_free(struct tw_names *n)
{
    if (!n)
        return;
    tw_lookups_free(n->lookups);
    tw_neighbours_free(n->neighbours);
    tw_array_free(n->before, TRUE);
    tw_ptr_array_free(n->partial, TRUE);
    tw_free(n);
}

void tw_names_take_neighbour(struct tw_names *n, const struct tw_dissection *message,
                             tcpwhy_ns at_ns, uint32_t frame)
{
    tw_neighbours_take(n->neighbours, message, at_ns, frame);
}

/* The first query waited for the next hop, too. */
static void note_hop(struct tw_names *n, struct tw_lookup *l)
{
    guint hop = tw_neighbours_before(n->neighbours, &l->client, l->first_ns);

    if (hop == TW_NO_NEIGHBOUR)
        return;
    l->hop = hop;
    l->hop_ns = tw_neighbours_at(n->neighbours, hop)->answered_ns -
                tw_neighbours_at(n->neighbours, hop)->first_ns;
}

/* Broadcast (RFC 919) and multicast: whoever asks all hosts asks no resolver. */
static bool is_to_many(const struct tw_tuple *t)
{
    return t->address[1][0] == 0xff || (t->version == 4 && t->address[1][0] >> 4 == 0xe);
}

void tw_names_take(struct tw_names *n, const struct tw_segment *s, tcpwhy_ns at_ns, uint32_t frame)
{
    struct tw_dns_message m;
    guint begun;

    if (is_to_many(&s->tuple) ||
        (s->tuple.port[0] != TW_DNS_PORT && s->tuple.port[1] != TW_DNS_PORT) ||
        !tw_dns_read(s->payload, &m))
        return;
    begun = tw_lookups_take(n->lookups, &s->tuple, &m, false, at_ns, frame);
    if (begun != TW_NO_LOOKUP)
        note_hop(n, tw_lookups_at(n->lookups, begun));
}

void tw_names_take_icmp(struct tw_names *n, const struct tw_dissection *error, tcpwhy_ns at_ns,
                        uint32_t frame)
{
    const struct tw_segment *s = &error->segment;
    struct tw_dns_message m;

    if (error->icmp == TW_ICMP_UNREACHABLE && s->tuple.port[1] == TW_DNS_PORT &&
        tw_dns_read(s->payload, &m) && !m.response)
        tw_lookups_take_unreachable(n->lookups, &s->tuple, &m, error->icmp_code, at_ns, frame);
}

/* ---- joining --------------------------------------------------------------------------------- */

/* The other family's lookup of the same name, asked for at about the same time: programs wait for
 * both. */
static struct tw_lookup *other_family(const struct tw_names *n, const struct tw_lookup *l)
{
    guint i = tw_lookups_find(n->lookups, &l->client, l->name,
                              l->type == TW_DNS_A ? TW_DNS_AAAA : TW_DNS_A);
    struct tw_lookup *other = i == TW_NO_LOOKUP ? NULL : tw_lookups_at(n->lookups, i);

    return other && ABS(other->last_query_ns - l->first_ns) <= CONNECTS_NS ? other : NULL;
}

/* A lookup that was repeated, and never answered, held up the SYN itself. */
static bool holds_up(const struct tw_lookup *other)
{
    return other && other->answered_ns == TCPWHY_NS_UNKNOWN && other->n_queries > 1;
}

/* From the first query until the last answer that the program waited for; 0: it did not wait. */
static tcpwhy_ns waited(const struct tw_lookup *l, const struct tw_lookup *other, tcpwhy_ns syn_ns,
                        struct tw_before_syn *out)
{
    tcpwhy_ns from_ns = l->first_ns, to_ns = l->answered_ns;

    out->first_frame = l->first_frame;
    if (other && other->first_ns < from_ns) {
        from_ns = other->first_ns;
        out->first_frame = other->first_frame;
    }
    if (holds_up(other))
        to_ns = syn_ns;
    else if (other && other->answered_ns != TCPWHY_NS_UNKNOWN)
        to_ns = MAX(to_ns, other->answered_ns);
    if (syn_ns - to_ns > CONNECTS_NS || syn_ns < to_ns || to_ns < from_ns)
        return 0;
    out->from_ns = from_ns;
    return to_ns - from_ns;
}

static bool has_suffix_added(const char *longer, const char *name)
{
    size_t len = strlen(name);

    return len > 0 && strncmp(longer, name, len) == 0 && longer[len] == '.';
}

/* May both be one name, with different domains of a search list or none? Such lists go from the
 * narrowest domain to the widest. */
static bool is_same_search(const char *tried, const char *found)
{
    size_t label = strcspn(found, ".");
    size_t tried_len = strlen(tried), rest = strlen(found) - label;

    if (has_suffix_added(tried, found) || has_suffix_added(found, tried))
        return true;
    return rest > 1 && tried_len > label + rest && strncmp(tried, found, label + 1) == 0 &&
           strcmp(tried + tried_len - rest, found + label) == 0;
}

/* The wait includes the resolver's earlier queries for other domains of its search list. */
static void add_search(const struct tw_names *n, guint found, struct tw_before_syn *out)
{
    const struct tw_lookup *l = tw_lookups_at(n->lookups, found);
    tcpwhy_ns end_ns = out->from_ns + out->lookup_ns;

    for (guint i = found; i > 0 && found - i < MOST_SEARCHED; i--) {
        struct tw_lookup *p = tw_lookups_at(n->lookups, i - 1);

        if (!tw_host_equal(&p->client, &l->client) || p->stream != UINT32_MAX ||
            p->answered_ns == TCPWHY_NS_UNKNOWN || p->n_addresses > 0 ||
            (p->code != TW_DNS_NXDOMAIN && p->code != TW_DNS_NO_ERROR) ||
            p->first_ns > out->from_ns || out->from_ns - p->answered_ns > NEXT_DOMAIN_NS ||
            !is_same_search(p->name, l->name))
            continue;
        p->stream = out->stream;
        out->from_ns = p->first_ns;
        out->first_frame = p->first_frame;
        out->searched += p->type == l->type;
    }
    out->lookup_ns = end_ns - out->from_ns;
}

static void join_lookup(struct tw_names *n, tcpwhy_ns syn_ns, struct tw_before_syn *out)
{
    struct tcpwhy_endpoint host = out->client, server = out->server;
    struct tw_lookup *l, *other;
    guint i;

    host.port = server.port = 0;
    i = tw_lookups_giving(n->lookups, &host, &server);
    l = i == TW_NO_LOOKUP ? NULL : tw_lookups_at(n->lookups, i);
    if (!l || l->stream != UINT32_MAX || l->answered_ns == TCPWHY_NS_UNKNOWN)
        return;
    other = other_family(n, l);
    out->lookup_ns = waited(l, other, syn_ns, out);
    if (out->lookup_ns == 0)
        return;
    out->lookup = i;
    l->stream = out->stream;
    if (other)
        other->stream = out->stream;
    out->half_lost = other && (l->n_queries > 1) != (other->n_queries > 1);
    add_search(n, i, out);
    if (l->hop_ns == 0 && other && other->hop_ns > 0)
        l = other;
    out->hop = l->hop;
    out->hop_ns = l->hop_ns;
}

static void join_neighbour(struct tw_names *n, tcpwhy_ns syn_ns, struct tw_before_syn *out)
{
    struct tcpwhy_endpoint host = out->client;
    struct tw_neighbour *hop;
    guint i;

    host.port = 0;
    i = out->hop != TW_NO_NEIGHBOUR ? out->hop : tw_neighbours_before(n->neighbours, &host, syn_ns);
    hop = i == TW_NO_NEIGHBOUR ? NULL : tw_neighbours_at(n->neighbours, i);
    if (!hop || hop->taken)
        return;
    hop->taken = true;
    out->hop = i;
    out->hop_ns = hop->answered_ns - hop->first_ns;
    out->from_ns = out->lookup_ns > 0 ? MIN(out->from_ns, hop->first_ns) : hop->first_ns;
}

void tw_names_join(struct tw_names *n, const struct tw_tuple *tuple, uint32_t stream,
                   tcpwhy_ns syn_ns, uint32_t frame, bool wanted)
{
    struct tw_before_syn b = { .stream = stream,
                               .syn_frame = frame,
                               .syn_ns = syn_ns,
                               .client = tw_tuple_endpoint(tuple, TCPWHY_CLIENT),
                               .server = tw_tuple_endpoint(tuple, TCPWHY_SERVER),
                               .lookup = TW_NO_LOOKUP,
                               .hop = TW_NO_NEIGHBOUR };

    join_lookup(n, syn_ns, &b);
    join_neighbour(n, syn_ns, &b);
    if (wanted && (b.lookup_ns > 0 || b.hop_ns > 0) && n->before->len < n->most)
        tw_array_append_val(n->before, b);
}
