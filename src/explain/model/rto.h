/* SPDX-License-Identifier: MIT */
/*
 * The retransmission timeout (RFC 6298): SRTT and RTTVAR, not below a floor, doubled each time that
 * it fires. The floor is a parameter of the side, and narrowed by when timeouts fired and by how
 * long none did.
 */
#ifndef TW_EXPLAIN_MODEL_RTO_H
#define TW_EXPLAIN_MODEL_RTO_H

#include "explain/model/rtt.h"

struct tw_rto {
    struct tw_interval floor_ns; /* the least that it adds to SRTT */
    unsigned backoff;            /* times that it fired since the last sample */
    int64_t initial_ns;          /* before the first sample */
};

/* floor_ns: bounds of the floor, as far as it is known. */
void tw_rto_begin(struct tw_rto *rto, struct tw_interval floor_ns);

/* Bounds of the RTO floor of any stack. */
struct tw_interval tw_rto_any_floor(void);

/* The most common floor of those that fit all observations. */
int64_t tw_rto_floor(const struct tw_rto *rto);

/* Bounds of the timeout as it stands, rounded up to a tick of the sender's clock. */
struct tw_interval tw_rto_bounds(const struct tw_rto *rto, const struct tw_rtt *rtt);
/* The RTO with the most common floor and tick. */
int64_t tw_rto_likely(const struct tw_rto *rto, const struct tw_rtt *rtt);

/* A retransmission showed a timer of that length: the RTO, or the PTO of a tail loss probe that the
 * RTO had capped (RFC 8985, 7.2). */
void tw_rto_see(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns after_ns);
/* The RTO fired, this long after it was set. */
void tw_rto_fire(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns after_ns);
/* The RTO did not fire for this long after it was set. */
void tw_rto_keep(struct tw_rto *rto, struct tw_rtt *rtt, tcpwhy_ns for_ns);
/* An RTT was measured. */
void tw_rto_reset(struct tw_rto *rto);

#endif
