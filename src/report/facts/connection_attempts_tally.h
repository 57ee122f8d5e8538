/* SPDX-License-Identifier: MIT */
/*
 * Collected by connection_attempts.c and weighed by connection_attempts_close.c.
 */
#ifndef TW_REPORT_FACTS_CONNECTION_ATTEMPTS_TALLY_H
#define TW_REPORT_FACTS_CONNECTION_ATTEMPTS_TALLY_H

#include <glib.h>

#include <tcpwhy/facts.h>

#include "base/array.h"
#include "base/hash_table.h"
#include "report/facts/interval_overlap.h"
#include "report/facts/unanswered_syns.h"

/* The first timer of a SYN (RFC 6298, section 2): an answer may take this long, and events closer
 * to a silence than this are at the same time. */
#define TW_SYN_TIMER_NS TCPWHY_S(1)

/* Sums over the connections to one listener. */
struct tw_tally {
    struct tcpwhy_openings view;
    struct tw_retransmit_evidence evidence;
    tcpwhy_ns from_ns, to_ns;            /* first and last SYN without an answer */
    tcpwhy_ns extra_ns[TW_N_SYN_EXTRAS]; /* the last that evidence.extra[].times counts */
    uint64_t answered_since; /* settled, after to_ns: in between, should there be a later one */
    guint host;
    bool made;
    bool heavy; /* more silence than chance explains */
};

struct tw_opening_host {
    struct tcpwhy_endpoint address; /* port 0 */
    guint number;
    uint64_t frames, served_frames, retransmissions; /* sent by it; of its listeners, both ways */
    uint64_t meanwhile, since;                       /* since: as answered_since */
    tcpwhy_ns silent_ns, until_ns;      /* first and last such SYN to it so far; heavy or not */
    tcpwhy_ns from_ns, to_ns;           /* of its heavy listeners; from > to: none */
    struct tw_interval_overlap waiting; /* its heavy listeners */
    struct tcpwhy_openings sum;         /* of its listeners with a host-wide silence */
    bool asked, answered;
};

struct tw_connection_attempts {
    tw_array *all;     /* struct tw_opening, in the order of their rows */
    uint64_t settled;  /* and no longer there; the first rows */
    tw_array *tallies; /* struct tw_tally, by listener */
    tw_ptr_array *hosts;
    tw_hash_table *by_address;
};

static inline struct tw_tally *tw_tally_of(const struct tw_connection_attempts *o, guint listener)
{
    return &tw_array_index(o->tallies, struct tw_tally, listener);
}

static inline struct tw_opening_host *tw_host_of(const struct tw_connection_attempts *o,
                                                 const struct tw_tally *t)
{
    return tw_ptr_array_index(o->hosts, t->host);
}

#endif
