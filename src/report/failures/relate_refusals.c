/* SPDX-License-Identifier: MIT */
/*
 * Refusals in a host's name that came sooner than that host can answer.
 */
#include "base/array.h"
#include "base/hash_table.h"
#include "report/endpoints.h"
#include "report/failures/failure_entry.h"

/* As with the RSTs of open connections (failures/rst_origin.c): jitter is smaller, and a host's
 * reaction time is shorter. */
#define SOON_SHARE  0.7
#define LEAST_ROUND TCPWHY_MS(2)

static bool may_be_early(const struct tw_failure_entry *e)
{
    return e->failure.kind == TCPWHY_FAILURE_CONNECT_REFUSED &&
           e->failure.who == TCPWHY_BY_SERVER && e->took_ns != TCPWHY_NS_UNKNOWN;
}

/* The lives of hosts, by their addresses alone: of each the shortest round trip. */
static tw_hash_table *shortest_ways(tw_hash_table *lives)
{
    tw_hash_table *hosts =
        tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, NULL, tw_free);
    tw_hash_table_iter iter;
    gpointer value;

    tw_hash_table_iter_init(&iter, lives);
    while (tw_hash_table_iter_next(&iter, NULL, &value)) {
        const struct tw_listener_life *life = value;
        struct tw_listener_life host = *life, *known;

        if (life->round_ns == TCPWHY_NS_UNKNOWN)
            continue;
        host.server.port = 0;
        known = tw_hash_table_lookup(hosts, &host.server);
        if (known) {
            known->round_ns = MIN(known->round_ns, host.round_ns);
            continue;
        }
        known = tw_memdup2(&host, sizeof host);
        tw_hash_table_insert(hosts, &known->server, known);
    }
    return hosts;
}

static void relate_refusal(struct tw_failure_entry *e, tw_hash_table *hosts)
{
    struct tcpwhy_endpoint server = e->server;
    const struct tw_listener_life *host;

    server.port = 0;
    host = tw_hash_table_lookup(hosts, &server);
    if (!host || host->round_ns < LEAST_ROUND ||
        (double)e->took_ns >= SOON_SHARE * (double)host->round_ns)
        return;
    e->failure.who = TCPWHY_BY_BOX;
    e->failure.confidence = TCPWHY_LIKELY;
    tw_failure_entry_clue(e, TW_CLUE_TOO_SOON, (double)e->took_ns / 1e6,
                          (double)host->round_ns / 1e6);
}

void tw_failures_relate_refusals(tw_array *entries, tw_hash_table *lives)
{
    tw_hash_table *hosts = NULL;

    for (guint i = 0; i < entries->len; i++) {
        struct tw_failure_entry *e = &tw_array_index(entries, struct tw_failure_entry, i);

        if (!may_be_early(e))
            continue;
        if (!hosts)
            hosts = shortest_ways(lives);
        relate_refusal(e, hosts);
    }
    if (hosts)
        tw_hash_table_destroy(hosts);
}
