/* SPDX-License-Identifier: MIT */
/*
 * How much later than usual a segment passed the vantage, by the timestamp that its sender put into
 * it (RFC 7323): it stood in a queue before, or its host resolved an address first.
 */
#ifndef TW_EXPLAIN_MODEL_SEND_CLOCK_H
#define TW_EXPLAIN_MODEL_SEND_CLOCK_H

#include "log/log.h"

struct tw_send_clock {
    tcpwhy_ns tick_ns; /* of the side's timestamps; 0: none that tells anything */
    uint32_t first;    /* the first of them */
    tcpwhy_ns least_ns,
        least_at_ns; /* the least that the vantage's clock was ahead, and when ... */
    double skew;     /* ... and how much more it is each nanosecond */
    bool often_late; /* much of what has payload stood in a queue before it passed */
};

void tw_send_clock_read(const struct tw_log *log, enum tcpwhy_side from, struct tw_send_clock *out);

/* Known to within a tick; 0 where it is less, or nothing tells. */
tcpwhy_ns tw_send_clock_late_ns(const struct tw_send_clock *clock, const struct tw_record *record);

#endif
