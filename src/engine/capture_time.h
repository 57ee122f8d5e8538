/* SPDX-License-Identifier: MIT */
/*
 * Time of frames since the capture's first, whatever a file says: without a time, before the first
 * frame, or centuries away.
 */
#ifndef TW_ENGINE_CAPTURE_TIME_H
#define TW_ENGINE_CAPTURE_TIME_H

#include "report/build.h"
#include "source/source.h"

/* 146 years either way: more than a savefile's 32-bit seconds span, and differences still fit. */
#define TW_CAPTURE_TIME_REACH (INT64_MAX / 2)

/* The capture's time begins with its first frame that has one; those before it stand there. */
void tw_capture_time_begin(struct tw_totals *totals, const struct tw_frame *frames, unsigned n);

/* Out of reach, or before the first frame; a frame without a time stands where the last stood. */
tcpwhy_ns tw_capture_time_odd(struct tw_totals *totals, int64_t time_ns);

/* Once a frame, in their order: the totals remember the last. */
static inline tcpwhy_ns tw_capture_time(struct tw_totals *totals, int64_t time_ns)
{
    uint64_t since = (uint64_t)time_ns - (uint64_t)totals->first_ns;

    if (time_ns < totals->first_ns || since > TW_CAPTURE_TIME_REACH)
        return tw_capture_time_odd(totals, time_ns);
    totals->last_ns = time_ns;
    return (tcpwhy_ns)since;
}

#endif
