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

struct tcpwhy_percentiles tw_percentiles(GArray *values)
{
    if (values->len == 0)
        return (struct tcpwhy_percentiles) { 0,
                                             TCPWHY_NS_UNKNOWN,
                                             TCPWHY_NS_UNKNOWN,
                                             TCPWHY_NS_UNKNOWN,
                                             TCPWHY_NS_UNKNOWN,
                                             TCPWHY_NS_UNKNOWN,
                                             TCPWHY_NS_UNKNOWN };
    g_array_sort(values, by_value);
    return (struct tcpwhy_percentiles) {
        .count = values->len,
        .min_ns = rank(values, 0),
        .p50_ns = rank(values, 50),
        .p75_ns = rank(values, 75),
        .p90_ns = rank(values, 90),
        .p99_ns = rank(values, 99),
        .max_ns = rank(values, 100),
    };
}
