/* SPDX-License-Identifier: MIT */
#include "report/rows/percentiles.h"

#include "base/select.h"

/* The smallest value that at least percent of all do not exceed. Must be asked for in rising order:
 * smaller values than the last answer are before *from. */
static tcpwhy_ns rank(tcpwhy_ns *values, size_t n, unsigned percent, size_t *from)
{
    size_t at = MAX((n * percent + 99) / 100, 1) - 1, first = *from;

    *from = at;
    return tw_select_ns(values + first, n - first, at - first);
}

static tcpwhy_ns smallest(const tcpwhy_ns *values, size_t n)
{
    tcpwhy_ns least = values[0];

    for (size_t i = 1; i < n; i++)
        least = MIN(least, values[i]);
    return least;
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

struct tcpwhy_percentiles tw_percentiles(tcpwhy_ns *values, size_t n)
{
    struct tcpwhy_percentiles p = tw_percentiles_none();
    size_t from = 0;

    p.count = n;
    if (n == 0)
        return p;
    if (n == 1) {
        p.min_ns = p.p50_ns = p.p75_ns = p.p90_ns = p.p99_ns = p.max_ns = values[0];
        return p;
    }
    p.p50_ns = rank(values, n, 50, &from);
    p.min_ns = smallest(values, from + 1);
    p.p75_ns = rank(values, n, 75, &from);
    p.p90_ns = rank(values, n, 90, &from);
    p.p99_ns = rank(values, n, 99, &from);
    p.max_ns = rank(values, n, 100, &from);
    return p;
}

void tw_percentiles_span(struct tcpwhy_percentiles *p, tcpwhy_ns first_ns, tcpwhy_ns last_ns)
{
    if (first_ns == TCPWHY_NS_UNKNOWN || last_ns == TCPWHY_NS_UNKNOWN)
        return;
    p->first_ns = p->first_ns == TCPWHY_NS_UNKNOWN ? first_ns : MIN(p->first_ns, first_ns);
    p->last_ns = MAX(p->last_ns, last_ns); /* unknown is smaller than any time */
}
