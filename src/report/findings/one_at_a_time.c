/* SPDX-License-Identifier: MIT */
#include "report/findings/one_at_a_time.h"

#include <glib.h>

#include "base/memory.h"
#include "base/select.h"

const char tw_kind_queued[] = "one at a time";

/* Fewer that waited for another one may be chance. By judgement. */
#define LEAST_WAITED 4

/* Answers of a server with several workers follow each other sooner than one is processed: with
 * two, after half of that time. */
#define SAME_SHARE 0.25

static bool is_like(tcpwhy_ns a, tcpwhy_ns b)
{
    return (double)ABS(a - b) <= SAME_SHARE * (double)b;
}

/* Are most of the times like their median? A server of one may as well have none of its own. */
static bool are_steady(const tcpwhy_ns *times, uint32_t n, tcpwhy_ns middle)
{
    uint32_t like = 0;

    for (uint32_t i = 0; i < n; i++)
        like += is_like(times[i], middle);
    return 4 * like >= 3 * n;
}

bool tw_one_at_a_time(const struct tw_served *served, uint32_t n, struct tw_queued *out)
{
    tcpwhy_ns *waited = tw_new(tcpwhy_ns, n + 1), *alone = tw_new(tcpwhy_ns, n + 1);
    uint32_t n_waited = 0, n_alone = 0;
    bool is;

    for (uint32_t i = 0; i < n; i++)
        if (i > 0 && served[i].from_ns < served[i - 1].to_ns)
            waited[n_waited++] = served[i].to_ns - served[i - 1].to_ns;
        else
            alone[n_alone++] = served[i].to_ns - served[i].from_ns;
    is = n_waited >= LEAST_WAITED && n_alone > 0;
    if (is) {
        *out = (struct tw_queued) { n, n_waited, tw_select_ns(waited, n_waited, n_waited / 2) };
        is = is_like(tw_select_ns(alone, n_alone, n_alone / 2), out->service_ns) &&
             are_steady(waited, n_waited, out->service_ns);
    }
    tw_free(waited);
    tw_free(alone);
    return is;
}
