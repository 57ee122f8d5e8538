/* SPDX-License-Identifier: MIT */
/*
 * What each server endpoint saw over all of its connections.
 */
#ifndef TW_REPORT_LISTENERS_H
#define TW_REPORT_LISTENERS_H

#include <glib.h>

#include "report/openings.h"
#include "report/report.h"
#include "report/traffic.h"

struct tw_listeners;

struct tw_listeners *tw_listeners_new(void);
void tw_listeners_free(struct tw_listeners *listeners);

/* The number of a listener, in the order in which they are first seen. */
guint tw_listeners_number(struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint);
/* Likewise, of one seen before; -1 when it was not. */
int tw_listeners_find(const struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint);
/* And back; not after the close. */
struct tcpwhy_endpoint tw_listeners_endpoint(gconstpointer listeners, guint number);

/* latencies: tcpwhy_ns of the stream's exchanges. */
void tw_listeners_add(struct tw_listeners *listeners, guint number,
                      const struct tcpwhy_stream *stream, const struct tw_connection *connection,
                      const struct tw_setup *setup, const GArray *latencies);

/* Write the listeners into the report, those that lost most first. */
void tw_listeners_close(struct tw_listeners *listeners, const struct tw_openings *openings,
                        struct tw_traffic *traffic, struct tcpwhy_report *report);

#endif
