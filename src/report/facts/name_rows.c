/* SPDX-License-Identifier: MIT */
#include "report/facts/name_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "base/number.h"
#include "base/text.h"
#include "report/endpoints.h"
#include "report/facts/add_fact.h"

static void keep_name(void *user, const struct tcpwhy_endpoint *address, const char *name)
{
    tcpwhy_report *r = user;

    tw_hash_table_insert(r->host_names, tw_memdup2(address, sizeof *address),
                         tw_string_chunk_insert_const(r->texts, name));
}

static struct tcpwhy_before_syn before_of(const struct tw_names *names,
                                          const struct tw_before_syn *b, tw_string_chunk *texts)
{
    struct tcpwhy_before_syn row = { .stream = b->stream,
                                     .client = b->client,
                                     .server = b->server,
                                     .start_ns = b->from_ns,
                                     .syn_ns = b->syn_ns,
                                     .lookup_ns = b->lookup_ns,
                                     .next_hop_ns = b->hop_ns };

    if (b->lookup != TW_NO_LOOKUP) {
        row.name =
            tw_string_chunk_insert_const(texts, tw_lookups_at(names->lookups, b->lookup)->name);
        row.resolver = tw_lookups_at(names->lookups, b->lookup)->resolver;
    }
    if (b->hop != TW_NO_NEIGHBOUR)
        row.next_hop = tw_neighbours_at(names->neighbours, b->hop)->target;
    return row;
}

static bool is_told(const tcpwhy_report *r, const struct tcpwhy_fact *fact)
{
    for (guint i = 0; i < r->facts->len; i++) {
        const struct tcpwhy_fact *f = &tw_array_index(r->facts, struct tcpwhy_fact, i);

        if (strcmp(f->fact, fact->fact) == 0 && tw_endpoint_equal(&f->endpoint, &fact->endpoint))
            return true;
    }
    return false;
}

static void append_hardware(tw_string *to, const uint8_t hardware[6])
{
    for (int i = 0; i < 6; i++)
        tw_string_append_printf(to, "%s%02x", i ? ":" : "", hardware[i]);
}

/* Two hosts may have one address: each connection to it meets one or the other. */
static void tell_claims(const struct tw_neighbours *neighbours, tcpwhy_report *r)
{
    static const uint8_t nobody[6];
    guint told = 0;

    for (guint i = 0; i < tw_neighbours_n(neighbours) && told < TW_FACTS_OF_A_KIND; i++) {
        const struct tw_neighbour *n = tw_neighbours_at(neighbours, i);
        struct tcpwhy_fact fact = { .fact = "address_claimed_twice",
                                    .confidence = TCPWHY_LIKELY,
                                    .endpoint = n->target };
        g_autoptr(tw_string) text = NULL;

        if (memcmp(n->hardware[1], nobody, sizeof nobody) == 0 || is_told(r, &fact))
            continue;
        text = tw_string_new(NULL);
        tw_string_append_printf(
            text, "Two hardware addresses answer for %s by ARP: ", tw_endpoint(&n->target).text);
        append_hardware(text, n->hardware[0]);
        tw_string_append(text, " and ");
        append_hardware(text, n->hardware[1]);
        tw_string_append(text,
                         ". If two hosts have that address, each connection reaches one or the "
                         "other: find both in the MAC tables of the switches. Otherwise it is a "
                         "router's proxy ARP, or a host with two interfaces in that network "
                         "(arp_ignore).");
        tw_add_fact(r, &fact, text);
        told++;
    }
}

void tw_name_rows_keep(const struct tw_names *names, tcpwhy_report *r)
{
    r->lookups = tw_array_new(FALSE, FALSE, sizeof(struct tw_lookup_row));
    r->before_syn = tw_array_new(FALSE, FALSE, sizeof(struct tcpwhy_before_syn));
    r->host_names = tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, NULL);
    if (!names)
        return;
    for (guint i = 0; i < tw_lookups_n(names->lookups); i++) {
        struct tw_lookup_row row = { .l = *tw_lookups_at(names->lookups, i) };

        row.l.name = tw_string_chunk_insert_const(r->texts, row.l.name);
        row.answered = row.l.answered_ns != TCPWHY_NS_UNKNOWN;
        row.took_ns = row.answered ? row.l.answered_ns - row.l.query_ns : TCPWHY_NS_UNKNOWN;
        tw_array_append_val(r->lookups, row);
    }
    for (guint i = 0; i < names->before->len; i++) {
        struct tcpwhy_before_syn row =
            before_of(names, &tw_array_index(names->before, struct tw_before_syn, i), r->texts);

        tw_array_append_val(r->before_syn, row);
    }
    tw_lookups_each_name(names->lookups, keep_name, r);
    tell_claims(names->neighbours, r);
}

void tw_name_rows_free(tcpwhy_report *r)
{
    if (!r->lookups)
        return;
    tw_array_free(r->lookups, TRUE);
    tw_array_free(r->before_syn, TRUE);
    tw_hash_table_destroy(r->host_names);
}

/* A listener's name is stored under its port. */
static void name_listener(tcpwhy_report *r, struct tw_listener_row *l)
{
    const char *name = l->several_names ? "" : l->server_name;

    if (name)
        tw_hash_table_insert(r->host_names, tw_memdup2(&l->endpoint, sizeof l->endpoint),
                             (gpointer)(uintptr_t)name);
    l->server_name = tcpwhy_report_name(r, &l->endpoint);
}

void tw_name_rows_place(tcpwhy_report *r)
{
    for (guint i = 0; i < r->listeners->len; i++)
        name_listener(r, &tw_array_index(r->listeners, struct tw_listener_row, i));
    for (guint i = 0; i < r->findings->len; i++) {
        struct tw_finding_row *f = &tw_array_index(r->findings, struct tw_finding_row, i);

        f->endpoint_name = tcpwhy_report_name(r, &f->endpoint);
    }
    for (guint i = 0; i < r->failures->len; i++) {
        struct tw_failure_row *f = &tw_array_index(r->failures, struct tw_failure_row, i);

        f->server_name = tcpwhy_report_name(r, &f->server);
    }
}

static int by_stream(gconstpointer key, gconstpointer row)
{
    uint32_t stream = *(const uint32_t *)key,
             other = ((const struct tcpwhy_before_syn *)row)->stream;

    return (stream > other) - (stream < other);
}

/* Streams are numbered as their SYNs come. */
const struct tcpwhy_before_syn *tw_before_syn_of(const tcpwhy_report *r, uint32_t stream)
{
    return r->before_syn && r->before_syn->len > 0
               ? bsearch(&stream, r->before_syn->data, r->before_syn->len,
                         sizeof(struct tcpwhy_before_syn), by_stream)
               : NULL;
}

/* ---- the fact -------------------------------------------------------------------------------- */

struct tally {
    tw_array *took; /* tcpwhy_ns */
    uint64_t unanswered, unknown, refused;
    const char *no_such; /* the first name that does not exist */
    const struct tw_lookup_row *slowest;
};

static void count(struct tally *t, const struct tw_lookup_row *row)
{
    if (!row->answered) {
        t->unanswered++;
        return;
    }
    if (row->l.code == TW_DNS_NXDOMAIN && t->unknown++ == 0)
        t->no_such = row->l.name;
    t->refused += row->l.code != TW_DNS_NXDOMAIN && row->l.code != TW_DNS_NO_ERROR;
    tw_array_append_val(t->took, row->took_ns);
    if (!t->slowest || row->took_ns > t->slowest->took_ns)
        t->slowest = row;
}

static int by_time(gconstpointer a, gconstpointer b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

static void append_part(tw_string *to, uint64_t n, const char *what)
{
    if (n > 0)
        tw_string_append_printf(to, ", %s %s", tw_count(n).text, what);
}

static void append_times(tw_string *to, const struct tally *t)
{
    if (t->took->len == 0)
        return;
    tw_array_sort(t->took, by_time);
    tw_string_append_printf(to, "; answers took %s (median)",
                            tw_duration(tw_array_index(t->took, tcpwhy_ns, t->took->len / 2)).text);
    if (t->slowest && t->took->len > 1)
        tw_string_append_printf(to, ", at most %s (%s)", tw_duration(t->slowest->took_ns).text,
                                t->slowest->l.name);
}

void tw_name_facts_find(tcpwhy_report *r)
{
    struct tcpwhy_fact fact = { .fact = "name_lookups", .confidence = TCPWHY_CERTAIN };
    struct tally t = { .took = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns)) };
    g_autoptr(tw_string) text = tw_string_new("DNS: ");

    for (guint i = 0; i < r->lookups->len; i++)
        count(&t, &tw_array_index(r->lookups, struct tw_lookup_row, i));
    fact.of = r->lookups->len;
    fact.count = t.unanswered + t.unknown + t.refused;
    tw_string_append_printf(text, "%s lookup%s (tcpwhy names)", tw_count(fact.of).text,
                            fact.of == 1 ? "" : "s");
    append_part(text, t.unanswered, "unanswered");
    append_part(text, t.refused, "refused or failed");
    append_part(text, t.unknown, "of names that do not exist");
    if (t.no_such)
        tw_string_append_printf(text, " (%s)", t.no_such);
    append_times(text, &t);
    tw_string_append_c(text, '.');
    tw_array_free(t.took, TRUE);
    if (fact.of == 0 || (fact.count == 0 && r->capture.streams > 0))
        return;
    tw_add_fact(r, &fact, text);
}
