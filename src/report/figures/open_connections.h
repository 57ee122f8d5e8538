/* SPDX-License-Identifier: MIT */
/* Connections that are open at the end of each interval of a capture. */
#ifndef TW_REPORT_FIGURES_OPEN_CONNECTIONS_H
#define TW_REPORT_FIGURES_OPEN_CONNECTIONS_H

#include "report/report_rows.h"

/* A connection is open from its handshake, or from the begin of the capture, until its last frame
 * if that is known to be its end. @return a number an interval, to be released by tw_free(); NULL:
 * rows were left out. */
uint64_t *tw_open_connections(const tcpwhy_report *report);

#endif
