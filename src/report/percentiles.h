/* SPDX-License-Identifier: MIT */
#ifndef TW_REPORT_PERCENTILES_H
#define TW_REPORT_PERCENTILES_H

#include <glib.h>

#include <tcpwhy/report.h>

/* Nearest-rank percentiles of tcpwhy_ns values; sorts the array. All unknown when it is empty. */
struct tcpwhy_percentiles tw_percentiles(GArray *values);

#endif
