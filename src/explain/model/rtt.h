/* SPDX-License-Identifier: MIT */
/*
 * SRTT and RTTVAR as the sender computes them (RFC 6298; Linux's tcp_rtt_estimator(), which smooths
 * each ACK's sample, holds RTTVAR for a round trip and includes the minimum RTO). Their error
 * follows from the samples' error.
 */
#ifndef TW_EXPLAIN_MODEL_RTT_H
#define TW_EXPLAIN_MODEL_RTT_H

#include <stdbool.h>

#include <tcpwhy/types.h>

#include "explain/model/interval.h"

struct tw_rtt {
    int64_t srtt_ns8;    /* SRTT times 8; 0: no sample yet */
    int64_t mdev_ns4;    /* mean deviation times 4 */
    int64_t mdev_max_ns; /* the largest mdev_ns4 in this round trip, and no less than floor_ns */
    int64_t rttvar_ns;   /* RTO - SRTT: 4 times the deviation, held */
    int64_t floor_ns;    /* minimum of RTO - SRTT (tcp_rto_min_us()) */
    int64_t round_end;   /* RTTVAR may shrink once this offset is acknowledged */
    int64_t srtt_error_ns, mdev_error_ns, rttvar_error_ns;
    struct tw_interval min_ns; /* the shortest sample */
    uint32_t n;                /* samples */
    uint32_t forgets;          /* samples left until state from before the capture is forgotten */
};

/* One ACK: an RTT sample, the offset acknowledged, and SND.NXT. */
struct tw_rtt_sample {
    struct tw_interval ns;
    int64_t acked, next;
};

/* begins: the capture holds the connection's first sample. */
void tw_rtt_begin(struct tw_rtt *rtt, int64_t floor_ns, bool begins);
void tw_rtt_take(struct tw_rtt *rtt, const struct tw_rtt_sample *sample);

struct tw_interval tw_rtt_srtt(const struct tw_rtt *rtt);
struct tw_interval tw_rtt_rttvar(const struct tw_rtt *rtt);

#endif
