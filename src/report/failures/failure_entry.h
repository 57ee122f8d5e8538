/* SPDX-License-Identifier: MIT */
/* A failure with its connection's ends, and what its listener is known for. */
#ifndef TW_REPORT_FAILURES_FAILURE_ENTRY_H
#define TW_REPORT_FAILURES_FAILURE_ENTRY_H

#include <glib.h>

#include <tcpwhy/facts.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "failures/failures.h"

struct tw_failure_entry {
    uint32_t stream;
    tcpwhy_ns opened_ns; /* its first frame */
    tcpwhy_ns took_ns;   /* from the only SYN to its first answer, or unknown */
    struct tcpwhy_endpoint client, server;
    struct tw_failure failure;
    uint32_t of_sort;    /* how many of its kind, culprit and server there are ... */
    tcpwhy_ns in_all_ns; /* ... and how long they delayed somebody in all; 0: they broke */
};

/* A connection that began with data of a side that the other one reset: nobody had opened it. */
struct tw_stray {
    uint32_t stream, frame;
    tcpwhy_ns time_ns;
    struct tcpwhy_endpoint reset_by;
};

/* Facts about a server's endpoint from all of its connections. */
struct tw_listener_life {
    struct tcpwhy_endpoint server;
    tcpwhy_ns survived_ns;    /* the longest silence before a request that was answered */
    tcpwhy_ns last_opened_ns; /* when its newest connection was opened; or unknown */
    tcpwhy_ns round_ns;       /* the shortest from a SYN to its SYN/ACK, or unknown */
};

/* SYNs to another address that came back to their own host, which drops them. Entries in the order
 * of their times. */
void tw_failures_relate_hairpins(tw_array *entries);

/* Several connections show more than each alone: relate() changes kind, culprit and clues of
 * entries (struct tw_failure_entry, in order of time). */
void tw_failures_relate_fallbacks(tw_array *entries, const tw_array *fallbacks);
void tw_failures_relate_strays(tw_array *entries, const tw_array *strays);
void tw_failures_relate_restarts(tw_array *entries, tw_hash_table *lives);
void tw_failures_relate_living(tw_array *entries, tw_hash_table *lives);
/* A refusal that is faster than the way to the host, as its other connections show it, comes from a
 * box on that way. */
void tw_failures_relate_refusals(tw_array *entries, tw_hash_table *lives);

struct tw_names;
struct tcpwhy_report;

/* Findings whose SYNs, or their answers, a NAT sent astray say so. */
void tw_failures_tell_astray(const tw_array *entries, struct tcpwhy_report *report);

/* Append names that nobody resolved and next hops that never answered, up to so many entries in
 * all, in a capture that ends then, with or without TCP. */
void tw_failures_of_names(const struct tw_names *names, tcpwhy_ns end_ns, bool no_tcp, guint most,
                          tw_array *entries);

/* The failure of a client that had no port left. @return whether it is one. */
bool tw_failure_of_ports(const struct tcpwhy_ports *ports, struct tw_failure_entry *out);

static inline void tw_failure_entry_clue(struct tw_failure_entry *e, enum tw_clue_kind kind,
                                         double a, double b)
{
    if (e->failure.n_clues < TW_FAILURE_CLUES)
        e->failure.clue[e->failure.n_clues++] = (struct tw_clue) { kind, a, b };
}

#endif
