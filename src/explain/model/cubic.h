/* SPDX-License-Identifier: MIT */
/*
 * CUBIC's window growth and its early exit from slow start (RFC 9438; Linux's tcp_cubic.c with
 * HyStart). Counts in segments.
 */
#ifndef TW_EXPLAIN_MODEL_CUBIC_H
#define TW_EXPLAIN_MODEL_CUBIC_H

#include <stdbool.h>
#include <stdint.h>

#include <tcpwhy/types.h>

struct tw_cubic {
    tcpwhy_ns epoch_ns; /* when growth after a reduction began; unknown: not yet */
    tcpwhy_ns counted_ns;
    double last_max;    /* cwnd before the last reduction; 0: none */
    double k_s, origin; /* when the curve reaches it */
    double acked;       /* for Reno's window */
    double reno;
    int64_t counted_cwnd, per_increment;
};

/* ACKs needed for one more segment of cwnd. */
int64_t tw_cubic_acks_per_segment(struct tw_cubic *cubic, int64_t cwnd, int64_t acked,
                                  tcpwhy_ns now_ns, tcpwhy_ns rtt_min_ns);
/* ssthresh after a loss with that cwnd. */
int64_t tw_cubic_reduce(struct tw_cubic *cubic, int64_t cwnd);
/* A timeout: forget everything. */
void tw_cubic_reset(struct tw_cubic *cubic);
/* The sender was idle for for_ns: the curve pauses. */
void tw_cubic_pause(struct tw_cubic *cubic, tcpwhy_ns for_ns);

struct tw_hystart {
    tcpwhy_ns round_ns, last_ack_ns, delay_min_ns, delay_ns;
    int64_t round_end;
    uint32_t samples;
    bool found; /* slow start was left */
};

/* Bound of HyStart's exit: facts that a capture does not show are decided for an early or a late
 * exit, hence for the lower or the upper bound of cwnd. */
enum tw_readiness { TW_READILY, TW_RELUCTANTLY };

struct tw_hystart_ack {
    tcpwhy_ns at_ns, rtt_ns, rtt_error_ns;
    int64_t una, next;
    int64_t cwnd;
    bool slow_start;
};

void tw_hystart_begin_round(struct tw_hystart *hystart, tcpwhy_ns at_ns, int64_t next);
/* @return true: slow start ends. */
bool tw_hystart_hear(struct tw_hystart *hystart, const struct tw_hystart_ack *ack,
                     enum tw_readiness readiness);

#endif
