/* SPDX-License-Identifier: MIT */
/*
 * Match the listeners of two captures: the same endpoint; else the same port, as when a service
 * moved to another host; else the only one left on either side.
 */
#include "base/array.h"
#include "base/hash_table.h"
#include "report/compare/compare.h"
#include "report/endpoints.h"

struct side {
    const struct tw_listener_row *listener;
    size_t n;
    bool *taken;
};

static void pair(tw_array *pairs, const struct tw_listener_row *before,
                 const struct tw_listener_row *after)
{
    const struct tw_listener_pair p = { { before, after } };

    tw_array_append_val(pairs, p);
}

static void match_endpoints(tw_array *pairs, struct side *before, struct side *after)
{
    tw_hash_table *by_endpoint =
        tw_hash_table_new_full(tw_endpoint_hash, tw_endpoint_equal, tw_free, NULL);

    for (size_t i = 0; i < after->n; i++)
        tw_hash_table_insert(
            by_endpoint, tw_memdup2(&after->listener[i].endpoint, sizeof(struct tcpwhy_endpoint)),
            GSIZE_TO_POINTER(i + 1));
    for (size_t i = 0; i < before->n; i++) {
        size_t found =
            GPOINTER_TO_SIZE(tw_hash_table_lookup(by_endpoint, &before->listener[i].endpoint));

        if (found == 0)
            continue;
        pair(pairs, &before->listener[i], &after->listener[found - 1]);
        before->taken[i] = after->taken[found - 1] = true;
    }
    tw_hash_table_destroy(by_endpoint);
}

/* Listeners of a side that are left at each port; the last of them. */
static void count_ports(const struct side *side, uint32_t *count, uint32_t *last)
{
    for (size_t i = 0; i < side->n; i++) {
        uint16_t port = side->listener[i].endpoint.port;

        if (side->taken[i])
            continue;
        count[port]++;
        last[port] = (uint32_t)i;
    }
}

/* Ports that only one listener is left at on either side. */
static void match_ports(tw_array *pairs, struct side *before, struct side *after)
{
    enum { PORTS = 65536 };
    uint32_t *n[2] = { tw_new0(uint32_t, PORTS), tw_new0(uint32_t, PORTS) };
    uint32_t *last[2] = { tw_new0(uint32_t, PORTS), tw_new0(uint32_t, PORTS) };

    count_ports(before, n[0], last[0]);
    count_ports(after, n[1], last[1]);
    for (size_t i = 0; i < before->n; i++) {
        uint16_t port = before->listener[i].endpoint.port;

        if (before->taken[i] || n[0][port] != 1 || n[1][port] != 1)
            continue;
        pair(pairs, &before->listener[i], &after->listener[last[1][port]]);
        before->taken[i] = after->taken[last[1][port]] = true;
    }
    for (int side = 0; side < 2; side++) {
        tw_free(n[side]);
        tw_free(last[side]);
    }
}

/* @return the only one of a side, when it is not taken; NULL otherwise. */
static const struct tw_listener_row *only(const struct side *side)
{
    return side->n == 1 && !side->taken[0] ? side->listener : NULL;
}

static void add_unmatched(tw_array *pairs, const struct side *before, const struct side *after)
{
    for (size_t i = 0; i < before->n; i++)
        if (!before->taken[i])
            pair(pairs, &before->listener[i], NULL);
    for (size_t i = 0; i < after->n; i++)
        if (!after->taken[i])
            pair(pairs, NULL, &after->listener[i]);
}

static struct side side_of(const tcpwhy_report *report)
{
    struct side side = { 0 };

    side.listener = tw_report_listeners(report, &side.n);
    side.taken = tw_new0(bool, side.n + 1);
    return side;
}

tw_array *tw_compare_match(const tcpwhy_report *before, const tcpwhy_report *after)
{
    tw_array *pairs = tw_array_new(FALSE, FALSE, sizeof(struct tw_listener_pair));
    struct side b = side_of(before), a = side_of(after);

    match_endpoints(pairs, &b, &a);
    match_ports(pairs, &b, &a);
    if (only(&b) && only(&a)) {
        pair(pairs, b.listener, a.listener);
        b.taken[0] = a.taken[0] = true;
    }
    add_unmatched(pairs, &b, &a);
    tw_free(b.taken);
    tw_free(a.taken);
    return pairs;
}
