/* SPDX-License-Identifier: MIT */
/*
 * Frame times relative to the capture's first frame, robust against missing, earlier and absurd
 * timestamps.
 */
#ifndef TW_ENGINE_CAPTURE_TIME_H
#define TW_ENGINE_CAPTURE_TIME_H

#include "report/build.h"
#include "source/source.h"

/* 146 years either way: more than 32-bit seconds, and differences still fit. */
#define TW_CAPTURE_TIME_REACH (INT64_MAX / 2)

/* Time starts with the first frame that has a timestamp; earlier frames get that time. */
void tw_capture_time_begin(struct tw_totals *totals, const struct tw_frame *frames, unsigned n);

/* Clamps times out of range or before the first frame; a frame without a timestamp gets the
 * previous time. */
tcpwhy_ns tw_capture_time_odd(struct tw_totals *totals, int64_t time_ns);

/* Call once per frame, in order: the totals remember the last. */
static inline tcpwhy_ns tw_capture_time(struct tw_totals *totals, int64_t time_ns)
{
    uint64_t since = (uint64_t)time_ns - (uint64_t)totals->first_ns;

    if (time_ns < totals->first_ns || since > TW_CAPTURE_TIME_REACH)
        return tw_capture_time_odd(totals, time_ns);
    totals->last_ns = time_ns;
    return (tcpwhy_ns)since;
}

#endif
