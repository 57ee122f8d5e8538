/* SPDX-License-Identifier: MIT */
#include "report/percentiles.h"

#include "base/select.h"

/* The smallest value that at least percent of all do not exceed. */
static tcpwhy_ns rank(GArray *values, unsigned percent)
{
    guint64 at = ((guint64)values->len * percent + 99) / 100;

    return tw_select_ns((tcpwhy_ns *)(void *)values->data, values->len, at ? at - 1 : 0);
}

struct tcpwhy_percentiles tw_percentiles_none(void)
{
    return (struct tcpwhy_percentiles) {
        .min_ns = TCPWHY_NS_UNKNOWN,
        .p50_ns = TCPWHY_NS_UNKNOWN,
        .p75_ns = TCPWHY_NS_UNKNOWN,
        .p90_ns = TCPWHY_NS_UNKNOWN,
        .p99_ns = TCPWHY_NS_UNKNOWN,
        .max_ns = TCPWHY_NS_UNKNOWN,
        .first_ns = TCPWHY_NS_UNKNOWN,
        .last_ns = TCPWHY_NS_UNKNOWN,
    };
}

struct tcpwhy_percentiles tw_percentiles(GArray *values)
{
    struct tcpwhy_percentiles p = tw_percentiles_none();

    p.count = values->len;
    if (values->len == 0)
        return p;
    if (values->len == 1) {
        p.min_ns = g_array_index(values, tcpwhy_ns, 0);
        p.p50_ns = p.p75_ns = p.p90_ns = p.p99_ns = p.max_ns = p.min_ns;
        return p;
    }
    p.min_ns = rank(values, 0);
    p.p50_ns = rank(values, 50);
    p.p75_ns = rank(values, 75);
    p.p90_ns = rank(values, 90);
    p.p99_ns = rank(values, 99);
    p.max_ns = rank(values, 100);
    return p;
}

void tw_percentiles_span(struct tcpwhy_percentiles *p, tcpwhy_ns first_ns, tcpwhy_ns last_ns)
{
    if (first_ns == TCPWHY_NS_UNKNOWN || last_ns == TCPWHY_NS_UNKNOWN)
        return;
    p->first_ns = p->first_ns == TCPWHY_NS_UNKNOWN ? first_ns : MIN(p->first_ns, first_ns);
    p->last_ns = MAX(p->last_ns, last_ns); /* unknown is smaller than any time */
}
