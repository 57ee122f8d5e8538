/* SPDX-License-Identifier: MIT */
/* The hops of a traceroute by TCP: who answered SYNs of each TTL, and when. */
#ifndef TW_REPORT_FACTS_ROUTE_H
#define TW_REPORT_FACTS_ROUTE_H

#include "base/array.h"
#include "report/facts/probes.h"

/* The answers of a hop that are shown; traceroute sends three. */
#define TW_HOP_TIMES 10

struct tw_hop {
    uint8_t ttl;
    bool is_target;                 /* the target itself answered */
    struct tcpwhy_endpoint address; /* port 0; version 0: nobody answered */
    struct tcpwhy_endpoint other;   /* a second one that answered the same TTL; version 0: none */
    uint32_t sent, lost, n_times;
    tcpwhy_ns time_ns[TW_HOP_TIMES]; /* unknown: no answer */
    uint32_t answer_frame;           /* the first */
};

/* struct tw_hop, by TTL, up to the first that is the target. */
tw_array *tw_route_hops(const struct tw_probe_group *group);

#endif
