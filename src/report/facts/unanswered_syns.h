/* SPDX-License-Identifier: MIT */
/*
 * The meaning of unanswered SYNs, from who else was answered at the time.
 */
#ifndef TW_REPORT_FACTS_UNANSWERED_SYNS_H
#define TW_REPORT_FACTS_UNANSWERED_SYNS_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/facts.h>

#include "report/facts/setup.h"

/* Handshakes that their clients left unfinished: a few are timeouts and capture ends. */
#define TW_LEAST_HALF_OPEN 10

/* Counters of one listener, of its host, and of all hosts. */
struct tw_retransmit_evidence {
    uint64_t syns, unanswered;
    uint64_t waited;             /* connections with an unanswered SYN */
    uint64_t most_unanswered;    /* of one connection */
    uint64_t answered;           /* connections that this port answered at any time */
    uint64_t answered_meanwhile; /* likewise at once, while others were not */
    uint64_t answered_between;   /* of those, later than the first such SYN and before the last */
    uint64_t recovered;          /* connections with an unanswered SYN that were opened after all */
    uint64_t overflows;          /* SYN/ACK again although it had been acknowledged */
    uint64_t overflows_idle;     /* of those, before clients that had sent nothing */
    uint64_t answers_lost;       /* SYN again although it had been answered */
    uint64_t limit;              /* connections at every dropped SYN, and at no other; or 0 */
    uint64_t queue_most;  /* of a full queue: connections that it held at most; 0: not known */
    bool alone;           /* no other connection was there to fill a queue, at most of these times,
                             and at any if handshakes were set aside */
    bool at_server;       /* captured there: a SYN that is seen has arrived */
    uint64_t host_frames; /* from that host in the whole capture */
    uint64_t host_meanwhile; /* its connections that went on in that time */
    uint64_t ports_waiting;  /* ports of the host that were as silent in the same time */
    uint64_t hosts_waiting;  /* living hosts with such ports */
    uint64_t hosts_silent, hosts_answering; /* in the whole capture */
    struct {
        uint64_t syns;       /* of syns, those with that ... */
        uint64_t unanswered; /* ... of unanswered ... */
        uint64_t times; /* ... and how many of these came at another time: of connections that begin
                           together one full queue drops all */
    } extra[TW_N_SYN_EXTRAS];
    uint64_t challenged; /* connections whose SYN got an ACK of an older one */
    uint64_t behind;     /* connections whose SYN has an older timestamp than the last that was
                            opened from the same address ... */
    uint64_t behind_unanswered, not_behind; /* ... of those, unanswered; and the others, answered */
    uint64_t forlorn;       /* half-open connections: one SYN each, never repeated, from an address
                               that did nothing else */
    uint64_t forlorn_again; /* of those, with SYN/ACKs that were repeated in vain */
    double data_loss;       /* share of data frames to and from the host sent again */
};

struct tw_unanswered_syns {
    enum tcpwhy_silence what;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_silence rival;
};

struct tw_unanswered_syns tw_unanswered_syns_decide(const struct tw_retransmit_evidence *evidence);

/* Are so few SYNs unanswered, none twice in a row, that chance explains it? */
bool tw_unanswered_syns_is_sparse(const struct tw_retransmit_evidence *evidence);

#endif
