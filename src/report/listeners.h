/* SPDX-License-Identifier: MIT */
/*
 * What each server endpoint saw over all of its connections.
 */
#ifndef TW_REPORT_LISTENERS_H
#define TW_REPORT_LISTENERS_H

#include <glib.h>

#include "report/report.h"

struct tw_listeners;

struct tw_listeners *tw_listeners_new(void);
void tw_listeners_free(struct tw_listeners *listeners);

/* latencies: tcpwhy_ns of the stream's exchanges. */
void tw_listeners_add(struct tw_listeners *listeners, const struct tcpwhy_stream *stream,
                      const struct tw_connection *connection, const GArray *latencies);

/* Write the listeners into the report, those that lost most first. */
void tw_listeners_close(struct tw_listeners *listeners, struct tcpwhy_report *report);

#endif
