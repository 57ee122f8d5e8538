/* SPDX-License-Identifier: MIT */
#include "report/figures/distribution.h"

#include <math.h>

#include "base/array.h"

static gint by_value(gconstpointer a, gconstpointer b)
{
    const tcpwhy_ns *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

tcpwhy_ns tw_distribution_at(const tw_array *sorted, unsigned thousandths)
{
    uint64_t n = sorted->len, rank = (n * thousandths + 999) / 1000;

    if (n == 0)
        return TCPWHY_NS_UNKNOWN;
    return tw_array_index(sorted, tcpwhy_ns, MAX(rank, 1) - 1);
}

struct tw_spread tw_spread_of(const double *values, size_t n)
{
    struct tw_spread s = { .n = n };
    double square = 0;
    size_t inside = 0;

    for (size_t i = 0; i < n; i++) {
        s.mean += values[i] / (double)n;
        s.max = MAX(s.max, values[i]);
    }
    for (size_t i = 0; i < n; i++)
        square += (values[i] - s.mean) * (values[i] - s.mean);
    s.deviation = n > 1 ? sqrt(square / (double)(n - 1)) : 0;
    for (size_t i = 0; i < n; i++)
        inside += fabs(values[i] - s.mean) <= s.deviation;
    s.within = n ? (double)inside / (double)n : 0;
    return s;
}

static void percentiles(struct tw_distribution *d, const tw_array *sorted)
{
    d->min_ns = tw_distribution_at(sorted, 0);
    d->p50_ns = tw_distribution_at(sorted, 500);
    d->p66_ns = tw_distribution_at(sorted, 660);
    d->p75_ns = tw_distribution_at(sorted, 750);
    d->p80_ns = tw_distribution_at(sorted, 800);
    d->p90_ns = tw_distribution_at(sorted, 900);
    d->p95_ns = tw_distribution_at(sorted, 950);
    d->p98_ns = tw_distribution_at(sorted, 980);
    d->p99_ns = tw_distribution_at(sorted, 990);
    d->p999_ns = tw_distribution_at(sorted, 999);
    d->max_ns = tw_distribution_at(sorted, 1000);
}

struct tw_distribution tw_distribution_of(tw_array *values)
{
    struct tw_distribution d = { .n = values->len };
    double *real = tw_new(double, values->len + 1);
    struct tw_spread s;

    tw_array_sort(values, by_value);
    for (guint i = 0; i < values->len; i++)
        real[i] = (double)tw_array_index(values, tcpwhy_ns, i);
    s = tw_spread_of(real, values->len);
    tw_free(real);
    d.mean_ns = s.mean;
    d.deviation_ns = s.deviation;
    d.within = s.within;
    percentiles(&d, values);
    return d;
}
