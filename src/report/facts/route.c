/* SPDX-License-Identifier: MIT */
#include "report/facts/route.h"

#include <string.h>

#include "base/array.h"

#define MOST_TTL 255

static void name_hop(struct tw_hop *hop, const struct tw_probe_group *g, const struct tw_probe *p)
{
    struct tcpwhy_endpoint who = { .version = g->target.version };

    if (p->answer == TW_PROBE_OPEN || p->answer == TW_PROBE_CLOSED) {
        hop->is_target = true;
        memcpy(who.address, g->target.address, sizeof who.address);
    } else {
        memcpy(who.address, p->router, sizeof who.address);
    }
    if (!hop->address.version) {
        hop->address = who;
        hop->answer_frame = p->answer_frame;
    } else if (memcmp(hop->address.address, who.address, sizeof who.address) != 0) {
        hop->other = who;
    }
}

static void take(struct tw_hop *hop, const struct tw_probe_group *g, const struct tw_probe *p)
{
    hop->sent++;
    hop->lost += p->settled && p->answer == TW_PROBE_LOST;
    if (hop->n_times < TW_HOP_TIMES)
        hop->time_ns[hop->n_times++] = p->answer_ns;
    if (p->answer != TW_PROBE_LOST)
        name_hop(hop, g, p);
}

/* Later answers of the target add nothing about the path. */
tw_array *tw_route_hops(const struct tw_probe_group *g)
{
    tw_array *hops = tw_array_new(FALSE, FALSE, sizeof(struct tw_hop));
    struct tw_hop *by_ttl = tw_new0(struct tw_hop, MOST_TTL + 1);

    for (guint i = 0; i < g->probes->len; i++) {
        const struct tw_probe *p = &tw_array_index(g->probes, struct tw_probe, i);

        take(&by_ttl[p->ttl], g, p);
    }
    for (unsigned ttl = 0; ttl <= MOST_TTL; ttl++) {
        if (by_ttl[ttl].sent == 0)
            continue;
        by_ttl[ttl].ttl = (uint8_t)ttl;
        tw_array_append_val(hops, by_ttl[ttl]);
        if (by_ttl[ttl].is_target)
            break;
    }
    tw_free(by_ttl);
    return hops;
}
