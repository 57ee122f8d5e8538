/* SPDX-License-Identifier: MIT */
#include "engine/capture_time.h"

#include <glib.h>

void tw_capture_time_begin(struct tw_totals *totals, const struct tw_frame *frames, unsigned n)
{
    for (unsigned i = 0; i < n && !totals->timed; i++) {
        if (frames[i].time_ns == TCPWHY_NS_UNKNOWN)
            continue;
        totals->timed = true;
        totals->first_ns = totals->last_ns = frames[i].time_ns;
    }
}

tcpwhy_ns tw_capture_time_odd(struct tw_totals *totals, int64_t time_ns)
{
    tcpwhy_ns since;

    if (time_ns == TCPWHY_NS_UNKNOWN)
        time_ns = totals->last_ns;
    if (__builtin_sub_overflow(time_ns, totals->first_ns, &since))
        since = time_ns > 0 ? TW_CAPTURE_TIME_REACH : -TW_CAPTURE_TIME_REACH;
    since = CLAMP(since, -TW_CAPTURE_TIME_REACH, TW_CAPTURE_TIME_REACH);
    totals->last_ns = totals->first_ns + since;
    return since;
}
