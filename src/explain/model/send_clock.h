/* SPDX-License-Identifier: MIT */
/*
 * Measures how late a segment passed the vantage, by its TSval (RFC 7323): it queued before, or its
 * host resolved an address first.
 */
#ifndef TW_EXPLAIN_MODEL_SEND_CLOCK_H
#define TW_EXPLAIN_MODEL_SEND_CLOCK_H

#include "log/log.h"

struct tw_send_clock {
    tcpwhy_ns tick_ns; /* of the side's TSval; 0: no usable clock */
    uint32_t first;    /* the first TSval */
    tcpwhy_ns least_ns,
        least_at_ns; /* the minimum by which the vantage's clock was ahead, and when ... */
    double skew;     /* ... and how much more it is each nanosecond */
    bool often_late; /* many data segments queued before they passed */
};

void tw_send_clock_read(const struct tw_log *log, enum tcpwhy_side from, struct tw_send_clock *out);

/* Accurate to one tick; 0 if less, or unknown. */
tcpwhy_ns tw_send_clock_late_ns(const struct tw_send_clock *clock, const struct tw_record *record);

#endif
