/* SPDX-License-Identifier: MIT */
/*
 * Rows as programs see them: made of the library's own rows, which they point into, and each
 * released by tw_free(). Lists are arrays of pointers, so that rows may grow in later versions.
 */
#ifndef TW_REPORT_REPORT_VIEWS_H
#define TW_REPORT_REPORT_VIEWS_H

#include <glib.h>

#include "base/memory.h"
#include "report/report_rows.h"

struct tcpwhy_capture *tw_capture_view(const struct tw_capture_row *row);
struct tcpwhy_traffic *tw_traffic_view(const struct tw_interval_series *series);
struct tcpwhy_finding *tw_finding_view(const struct tw_finding_row *row);
struct tcpwhy_failure *tw_failure_view(const struct tw_failure_row *row);
struct tcpwhy_stream *tw_stream_view(const struct tw_stream_row *row);
struct tcpwhy_listener *tw_listener_view(const struct tw_listener_row *row);

/* The reverse: without gaps, and released by tw_free(), too. */
struct tw_finding_row *tw_finding_of_view(const struct tcpwhy_finding *view);

/*
 * A zeroed block for a struct and n pointers after it; *pointers is set to the first.
 */
gpointer tw_view_block(size_t bytes, size_t n, const void ***pointers);

/* Let the next n pointers point to rows that follow each other; returns the first of them. */
gconstpointer tw_view_list(const void ***pointers, gconstpointer rows, size_t n, size_t row_bytes);

#endif
