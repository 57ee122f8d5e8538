/* SPDX-License-Identifier: MIT */
/*
 * The failures of all connections: gathered one by one, related to each other at the end.
 */
#ifndef TW_REPORT_FAILURES_FAILURES_H
#define TW_REPORT_FAILURES_FAILURES_H

#include <glib.h>

#include "base/array.h"
#include "report/report.h"

struct tw_connection_row;
struct tw_names;
struct tw_failure_list;

/* most: of failures, and of listeners; what is beyond is counted, not kept. */
struct tw_failure_list *tw_failure_list_new(guint most);
struct tw_failure_list *tw_failure_list_copy(const struct tw_failure_list *list);
void tw_failure_list_free(struct tw_failure_list *list);

/* Take what one connection showed. */
void tw_failure_list_add(struct tw_failure_list *list, const struct tw_connection_row *conn);

size_t tw_failure_list_bytes(const struct tw_failure_list *list);
/* Failures that were not kept. */
uint64_t tw_failure_list_dropped(const struct tw_failure_list *list);

/* fallbacks: struct tw_ip_fallback; names: NULL without any; end_ns: of the capture. Write the
 * failures, those of the most frequent sort first, and the verdict's into the report. */
void tw_failure_list_close(struct tw_failure_list *list, const tw_array *fallbacks,
                           const struct tw_names *names, tcpwhy_ns end_ns,
                           struct tcpwhy_report *report);

#endif
