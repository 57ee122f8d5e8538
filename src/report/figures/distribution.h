/* SPDX-License-Identifier: MIT */
/* Mean, deviation and percentiles of times. */
#ifndef TW_REPORT_FIGURES_DISTRIBUTION_H
#define TW_REPORT_FIGURES_DISTRIBUTION_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/array.h"

struct tw_distribution {
    uint64_t n;
    double mean_ns, deviation_ns; /* of a sample: over n - 1 */
    double within;                /* share within one deviation of the mean */
    tcpwhy_ns min_ns, max_ns, p50_ns, p66_ns, p75_ns, p80_ns, p90_ns, p95_ns, p98_ns, p99_ns,
        p999_ns; /* nearest rank; unknown when n is 0 */
};

/* Sorts the values (tcpwhy_ns). */
struct tw_distribution tw_distribution_of(tw_array *values);

/* Nearest rank of sorted values, in thousandths: 999 is p99.9. Unknown when there are none. */
tcpwhy_ns tw_distribution_at(const tw_array *sorted, unsigned thousandths);

/* The same without the time: rates and counts. */
struct tw_spread {
    uint64_t n;
    double mean, deviation, within, max;
};

struct tw_spread tw_spread_of(const double *values, size_t n);

#endif
