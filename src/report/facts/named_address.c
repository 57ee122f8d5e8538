/* SPDX-License-Identifier: MIT */
#include "base/short_text.h"
#include "report/facts/named_address.h"

#include <string.h>

#include "base/hash_table.h"
#include "base/memory.h"
#include "report/endpoints.h"
#include "report/facts/add_fact.h"

/* The connections to a host that failed, and those that were opened. */
struct fate {
    uint64_t failed, opened;
};

static struct tcpwhy_endpoint host_of(const struct tcpwhy_endpoint *endpoint)
{
    struct tcpwhy_endpoint host = *endpoint;

    host.port = 0;
    return host;
}

static tw_hash_table *fates(const struct tcpwhy_report *r)
{
    tw_hash_table *hosts =
        tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, tw_free);

    for (guint i = 0; i < r->listeners->len; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);
        const struct tcpwhy_endpoint host = host_of(&l->endpoint);
        struct fate *fate = tw_hash_table_lookup(hosts, &host);

        if (!fate) {
            fate = tw_new0(struct fate, 1);
            tw_hash_table_insert(hosts, tw_memdup2(&host, sizeof host), fate);
        }
        fate->failed += l->unanswered + l->refused;
        fate->opened += l->openings.opened;
    }
    return hosts;
}

static void tell(struct tcpwhy_report *r, const struct tw_listener_row *by, uint64_t failed)
{
    struct tcpwhy_fact fact = { .fact = "address_named",
                                .confidence = TCPWHY_CERTAIN,
                                .endpoint = by->named.endpoint,
                                .count = failed,
                                .frame = by->named.frame };
    g_autoptr(tw_string) text = tw_string_new(NULL);

    tw_string_append_printf(text,
                            "%s, to which no connection succeeded, is an address that %s gave in "
                            "its response (frame %u): it should give one that its clients can "
                            "reach. See %s.",
                            tw_endpoint(&by->named.endpoint).text, tw_endpoint(&by->endpoint).text,
                            (unsigned)by->named.frame, by->named.setting);
    tw_add_fact(r, &fact, text);
}

void tw_named_address_find(struct tcpwhy_report *r)
{
    tw_hash_table *hosts = NULL; /* few captures name any */
    int told = 0;

    for (guint i = 0; i < r->listeners->len && told < TW_FACTS_OF_A_KIND; i++) {
        const struct tw_listener_row *l = &tw_array_index(r->listeners, struct tw_listener_row, i);
        const struct tcpwhy_endpoint named = host_of(&l->named.endpoint);
        const struct tcpwhy_endpoint own = host_of(&l->endpoint);
        const struct fate *fate;

        if (named.version == 0 || tw_endpoint_equal(&named, &own))
            continue;
        if (!hosts)
            hosts = fates(r);
        fate = tw_hash_table_lookup(hosts, &named);
        if (!fate || fate->failed == 0 || fate->opened > 0)
            continue;
        tell(r, l, fate->failed);
        told++;
    }
    if (hosts)
        tw_hash_table_destroy(hosts);
}
