/* SPDX-License-Identifier: MIT */
#include "report/figures/omission.h"

#include "base/array.h"

/* A forged clock adds no more than that. */
#define MOST_ADDED 50000000u

tw_array *tw_omission_correct(const tw_array *latencies, tcpwhy_ns interval_ns, tcpwhy_ns most_ns)
{
    tw_array *out = tw_array_sized_new(FALSE, FALSE, sizeof(tcpwhy_ns), latencies->len);
    tcpwhy_ns step_ns = interval_ns / 1000 * 1000;

    for (guint i = 0; i < latencies->len; i++) {
        tcpwhy_ns ns = tw_array_index(latencies, tcpwhy_ns, i) / 1000 * 1000;

        if (ns >= most_ns)
            continue;
        tw_array_append_val(out, ns);
        if (step_ns <= 0 || ns < 2 * step_ns)
            continue;
        for (ns -= step_ns; ns > step_ns && out->len < MOST_ADDED; ns -= step_ns)
            tw_array_append_val(out, ns);
    }
    return out;
}
