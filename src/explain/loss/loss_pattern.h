/* SPDX-License-Identifier: MIT */
/*
 * The pattern of a sender's losses among its segments: alone and at random as a bad link drops
 * them, in bursts, at the end of its own bursts, or at regular intervals.
 */
#ifndef TW_EXPLAIN_LOSS_LOSS_PATTERN_H
#define TW_EXPLAIN_LOSS_LOSS_PATTERN_H

#include "explain/sender/sender_timeline.h"

enum tw_loss_order {
    TW_LOSS_NO_ORDER,     /* too few losses, or no pattern */
    TW_LOSS_AT_RANDOM,    /* each segment has the same chance */
    TW_LOSS_IN_BURSTS,    /* segments that follow each other are lost together */
    TW_LOSS_BEHIND_BURST, /* the last of those that leave together: a queue is too short for them */
    TW_LOSS_REGULAR,      /* after equal times */
};

struct tw_loss_pattern {
    enum tw_loss_order order;
    uint32_t segments;  /* full and partial ones, each once */
    uint32_t lost;      /* of these */
    uint32_t groups;    /* runs of lost ones that follow each other */
    tcpwhy_ns every_ns; /* the usual time between two groups; 0: none is usual */
};

/* Needs the marks of spurious retransmissions. What is lost within one RTT is of one flight, and
 * no interval. */
struct tw_loss_pattern tw_loss_pattern_find(const struct tw_sender_timeline *sends,
                                            tcpwhy_ns rtt_ns, struct tw_scratch *scratch);

#endif
