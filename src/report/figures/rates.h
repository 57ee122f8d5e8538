/* SPDX-License-Identifier: MIT */
/* Rates of several streams over time, and their sum. */
#ifndef TW_REPORT_FIGURES_RATES_H
#define TW_REPORT_FIGURES_RATES_H

#include <glib.h>

#include <tcpwhy/graph.h>

#include "base/array.h"
#include "report/report.h"

struct tw_rate {
    const struct tw_stream_row *stream; /* NULL: the sum of all */
    enum tcpwhy_side from;
    uint64_t *bytes; /* payload for the first time, of each interval */
    uint64_t total_bytes;
};

struct tw_rates {
    tcpwhy_ns from_ns, to_ns, interval_ns;
    guint n;        /* intervals */
    tw_array *rate; /* struct tw_rate: the sum, then the streams with most first */
};

/* For all streams with a log, each in the direction of the options, or the one with more payload.
 * @return false if none carried data. */
bool tw_rates_make(const tcpwhy_report *report, const struct tcpwhy_graph_options *options,
                   struct tw_rates *out);
void tw_rates_clear(struct tw_rates *rates);

/* Bits a second of an interval. */
double tw_rates_bits(const struct tw_rates *rates, const struct tw_rate *rate, guint interval);

#endif
