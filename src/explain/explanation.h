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
    uint32_t count;      /* number of gaps of one cause joined */
};

/* A number or a word of a cause of this connection; its name has the unit. */
struct tw_detail {
    enum tcpwhy_cause cause;
    enum tcpwhy_side from;
    const char *name; /* static */
    const char *text; /* static, NULL when it is a number */
    double number;
};

/* A span of propagation, read as what it was spent on (distance/); the ledger keeps the span. */
struct tw_reading {
    struct tw_span span; /* with its cause, party and side instead */
    uint32_t index;      /* of the ledger's span */
};

/* A connection opened for few short exchanges, whose time is mostly propagation: unremarkable
 * alone, and one of many round trips if such connections follow each other. */
struct tw_short_way {
    struct tw_span span; /* its propagation; 0: no such connection */
    tcpwhy_ns to_ns;     /* its end */
    uint32_t index;      /* of the ledger's first span of it */
};

/* The segment that gave the minimum RTT from the vantage to a side decides how sure that RTT is. */
enum tw_answerer {
    TW_BY_PROGRAM, /* only segments with data or FIN, or nothing: program time may be in it */
    TW_BY_ACK,  /* its kernel, rarely or late: a delayed-ACK timer, or a read, may have released the
                   ACK */
    TW_BY_ACKS, /* its kernel, often, and sooner than any timer */
    TW_BY_SYN,  /* its kernel, in the handshake: no delay there */
};

/* The place where the capture was taken, and the delay to each side from there. */
struct tw_vantage {
    enum tcpwhy_vantage place;
    enum tcpwhy_confidence confidence;
    tcpwhy_ns jitter_ns[2]; /* jitter of the RTT to a side, without load */
    tcpwhy_ns spread_ns[2]; /* maximum RTT to it beyond the minimum: includes queues and programs */
    tcpwhy_ns rtt_varies_ns[2];   /* possible jitter; 0: it is known */
    tcpwhy_ns behind_proxy_ns[2]; /* RTT from a proxy that answers for it; 0: none */
    tcpwhy_ns syn_late_ns[2];     /* excess of its SYN/ACK over the minimum RTT to it */
    tcpwhy_ns to_side_ns[2];      /* one-way delay from the vantage; 0: unknown */
    bool ended_nearby[2]; /* a box beside the vantage, not that host, terminates the connection */
    bool both_ends;       /* client and server are one host: nothing is lost between its sockets */
    bool timed[2];        /* the side answered something: its RTT is known */
    enum tw_answerer answered_by[2];                 /* how */
    tcpwhy_ns rtt_min_ns, rtt_median_ns, rtt_max_ns; /* client to server and back; or unknown */
};

/* Is what is seen for that side also what reaches its host, or leaves it? */
static inline bool tw_vantage_is_at(const struct tw_vantage *v, enum tcpwhy_side side)
{
    enum tcpwhy_vantage place =
        side == TCPWHY_CLIENT ? TCPWHY_VANTAGE_CLIENT : TCPWHY_VANTAGE_SERVER;

    return v->both_ends || (v->place == place && v->confidence == TCPWHY_CERTAIN);
}

/* The minimum RTT; 0: unknown. */
static inline tcpwhy_ns tw_min_rtt_ns(const struct tw_vantage *v)
{
    return v->rtt_min_ns > 0 ? v->rtt_min_ns : 0;
}

/* Retransmissions of both sides by trigger. */
struct tw_repair_counts {
    uint32_t fast, probes, timeouts, after_timeouts;
    uint32_t spurious; /* spurious ones of all of them */
};

struct tw_weighings;

struct tw_explanation {
    struct tw_vantage vantage;
    struct tw_repair_counts repairs;
    bool data_only; /* the capture holds no pure ACKs */
    struct tw_span *span;
    uint32_t n_spans, span_capacity;
    struct tw_reading *reading; /* in order of time, per cause */
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
