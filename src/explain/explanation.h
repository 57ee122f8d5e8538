/* SPDX-License-Identifier: MIT */
/*
 * The result of an explanation: types only. A connection's life as spans, each with its cause.
 */
#ifndef TW_EXPLAIN_EXPLANATION_H
#define TW_EXPLAIN_EXPLANATION_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

#include "base/scratch.h"

/* One interval with its cause. Spans of a connection are contiguous and cover its life. */
struct tw_span {
    tcpwhy_ns from_ns, to_ns;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_side from; /* the sender whose data waited */
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    uint32_t first_record, last_record; /* log indices of the frames at its ends */
    uint32_t key_record; /* the frame that ended the wait (the ACK, the probe), or TW_NO_RECORD */
    uint32_t count;      /* how many waits of one cause were joined */
};

/* A number or a word that belongs to a cause of this connection; the unit is in the name. */
struct tw_detail {
    enum tcpwhy_cause cause;
    enum tcpwhy_side from;
    const char *name; /* static */
    const char *text; /* static, NULL when it is a number */
    double number;
};

/* A span of the way, told as what the way was spent on (distance/): the ledger keeps the span. */
struct tw_reading {
    struct tw_span span; /* with its cause, party and side instead */
    uint32_t index;      /* of the ledger's span */
};

/* A connection that is opened for few short exchanges, and whose time is mostly the way's: nothing
 * by itself, and one of many round trips where one follows the other. */
struct tw_short_way {
    struct tw_span span; /* as long as the way; 0: it is no such connection */
    tcpwhy_ns to_ns;     /* its end */
    uint32_t index;      /* of the ledger's first span of it */
};

/* What answered in the shortest time from the vantage to a side and back: how sure is that way? */
enum tw_answerer {
    TW_BY_PROGRAM, /* segments with data or FIN only, or nothing: its program's time may be in it */
    TW_BY_ACK,     /* its kernel, seldom or late: a timer, or what its program read, may have let
                      the ACK go */
    TW_BY_ACKS,    /* its kernel, often, and sooner than any timer */
    TW_BY_SYN,     /* its kernel, in the handshake: nothing is held back there */
};

/* Where the capture was taken, and how long the way to each side is from there. */
struct tw_vantage {
    enum tcpwhy_vantage place;
    enum tcpwhy_confidence confidence;
    tcpwhy_ns jitter_ns[2]; /* by which the way to a side and back varies without being busy */
    tcpwhy_ns spread_ns[2]; /* the longest way to it and back beyond the shortest: queues are in it,
                               and programs */
    tcpwhy_ns rtt_varies_ns[2];   /* by which it may vary, for all that is known; 0: it is known */
    tcpwhy_ns behind_proxy_ns[2]; /* from a proxy that answers for that side to it and back; 0: none
                               seems to stand there */
    tcpwhy_ns syn_late_ns[2]; /* by which its SYN/ACK took longer than the shortest way to it and
                                 back */
    tcpwhy_ns to_side_ns[2];  /* one way, from the vantage to client and to server; 0 where no round
                                 trip is known */
    bool ended_nearby[2];     /* a box beside the vantage, not that host, ends the connection */
    bool both_ends;           /* one host talks to itself: nothing is lost between its sockets */
    bool timed[2];            /* the side answered something: that is known */
    enum tw_answerer answered_by[2];                 /* how */
    tcpwhy_ns rtt_min_ns, rtt_median_ns, rtt_max_ns; /* client to server and back, or unknown */
};

/* The shortest round trip; 0 where none is known. */
static inline tcpwhy_ns tw_min_rtt_ns(const struct tw_vantage *v)
{
    return v->rtt_min_ns > 0 ? v->rtt_min_ns : 0;
}

/* Retransmissions of both sides by what caused them. */
struct tw_repair_counts {
    uint32_t fast, probes, timeouts, after_timeouts;
    uint32_t spurious; /* of all of them, those that were not needed */
};

struct tw_weighings;

struct tw_explanation {
    struct tw_vantage vantage;
    struct tw_repair_counts repairs;
    bool data_only; /* the capture holds none of the ACKs that kernels send by themselves */
    struct tw_span *span;
    uint32_t n_spans, span_capacity;
    struct tw_reading *reading; /* in the order of time, for each cause */
    uint32_t n_readings, reading_capacity;
    struct tw_short_way short_way;
    struct tw_detail *detail;
    uint32_t n_details, detail_capacity;
    struct tw_weighings *weighings; /* NULL unless asked for */
    struct tw_scratch *scratch;     /* the explainer's: holds spans and details */
};

static inline enum tcpwhy_side tw_other(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? TCPWHY_SERVER : TCPWHY_CLIENT;
}

static inline enum tcpwhy_party tw_party_of(enum tcpwhy_side side)
{
    return side == TCPWHY_CLIENT ? TCPWHY_PARTY_CLIENT : TCPWHY_PARTY_SERVER;
}

#endif
