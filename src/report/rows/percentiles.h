/* SPDX-License-Identifier: MIT */
#ifndef TW_REPORT_ROWS_PERCENTILES_H
#define TW_REPORT_ROWS_PERCENTILES_H

#include <glib.h>

#include <tcpwhy/report.h>

/* Nearest-rank percentiles of tcpwhy_ns values; moves them about. All unknown when it is empty. */
struct tcpwhy_percentiles tw_percentiles(tcpwhy_ns *values, size_t n);

/* The percentiles of an empty set. */
struct tcpwhy_percentiles tw_percentiles_none(void);

/* Widen the time from the first request to the last answer by that of others. */
void tw_percentiles_span(struct tcpwhy_percentiles *p, tcpwhy_ns first_ns, tcpwhy_ns last_ns);

#endif
