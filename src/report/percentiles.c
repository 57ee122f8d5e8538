/* SPDX-License-Identifier: MIT */
#include "report/percentiles.h"

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

/* The smallest value that at least percent of all do not exceed. */
static tcpwhy_ns rank(const GArray *sorted, unsigned percent)
{
    guint64 at = ((guint64)sorted->len * percent + 99) / 100;

    return g_array_index(sorted, tcpwhy_ns, at ? at - 1 : 0);
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
    g_array_sort(values, by_value);
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
