/* SPDX-License-Identifier: MIT */
#include "report/figures/open_connections.h"

#include "base/memory.h"
#include "report/report.h"

struct changes {
    const struct tw_interval_series *intervals;
    int64_t *by; /* how many more are open at the end of each */
};

static size_t interval_of(const struct tw_interval_series *t, tcpwhy_ns at_ns)
{
    return (size_t)CLAMP((at_ns - t->first_ns) / t->interval_ns, 0, (tcpwhy_ns)t->n - 1);
}

/* Handshakes are counted by the intervals already. */
static bool add_stream(void *user, const struct tw_stream_row *s)
{
    struct changes *c = user;

    if (s->roles_inferred)
        c->by[0]++;
    if (s->complete_end && (s->roles_inferred || s->complete_start))
        c->by[interval_of(c->intervals, s->start_ns + s->duration_ns)]--;
    return true;
}

uint64_t *tw_open_connections(const tcpwhy_report *report)
{
    const struct tw_interval_series *t = tw_report_traffic(report);
    struct changes c = { .intervals = t };
    uint64_t *open;
    int64_t now = 0;

    if (t->n == 0 || tw_report_left_out(report) > 0)
        return NULL;
    c.by = tw_new0(int64_t, t->n);
    for (size_t i = 0; i < t->n; i++)
        c.by[i] = (int64_t)t->interval[i].opened;
    tw_report_visit_streams(report, add_stream, &c);
    open = tw_new(uint64_t, t->n);
    for (size_t i = 0; i < t->n; i++) {
        now += c.by[i];
        open[i] = (uint64_t)MAX(now, 0);
    }
    tw_free(c.by);
    return open;
}
