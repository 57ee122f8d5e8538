/* SPDX-License-Identifier: MIT */
/*
 * Totals of each server endpoint over all of its connections.
 */
#ifndef TW_REPORT_FACTS_LISTENERS_H
#define TW_REPORT_FACTS_LISTENERS_H

#include <glib.h>

#include "report/facts/connection_attempts.h"
#include "report/rows/connection_row.h"
#include "report/report.h"
#include "report/rows/traffic.h"

struct tw_listeners;

/* The most that are told apart; beyond, they are one, of no endpoint. */
struct tw_listeners *tw_listeners_new(guint most);
struct tw_listeners *tw_listeners_copy(const struct tw_listeners *listeners);
void tw_listeners_free(struct tw_listeners *listeners);

/* The number of a listener, in the order in which they are first seen. */
guint tw_listeners_number(struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint);
/* The number of a listener that has one; -1: it has none. */
int tw_listeners_find(const struct tw_listeners *listeners, const struct tcpwhy_endpoint *endpoint);
/* The endpoint of a listener's number; not after the close. */
struct tcpwhy_endpoint tw_listeners_endpoint(gconstpointer listeners, guint number);

/* Add a connection to its listener. */
void tw_listeners_add(struct tw_listeners *listeners, guint number,
                      const struct tw_connection_row *conn);

size_t tw_listeners_bytes(const struct tw_listeners *listeners);

/* Write the listeners into the report, those that lost most first. */
void tw_listeners_close(struct tw_listeners *listeners,
                        const struct tw_connection_attempts *attempts, struct tw_traffic *traffic,
                        struct tcpwhy_report *report);

#endif
