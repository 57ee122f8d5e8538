/* SPDX-License-Identifier: MIT */
/*
 * Requests of one name, which for databases is a statement without its values: how many, and how
 * long they took. Which requests the options of a document select.
 */
#ifndef TW_REPORT_FIGURES_OPERATIONS_H
#define TW_REPORT_FIGURES_OPERATIONS_H

#include <tcpwhy/render.h>

#include "base/array.h"
#include "report/report_rows.h"

/* Does the document show this exchange? */
bool tw_operations_select(const struct tcpwhy_render_options *options,
                          const struct tcpwhy_exchange *exchange);

static inline bool tw_operations_select_all(const struct tcpwhy_render_options *options)
{
    return !options->only_protocol && !options->only_operation && !options->only_status;
}

/* Does the reader of another document ask for operations, too? */
static inline bool tw_operations_wanted(const struct tcpwhy_render_options *options)
{
    return options->by_operation || !tw_operations_select_all(options);
}

/* A request of the report, on its stream. */
struct tw_asked_for {
    const struct tw_stream_row *stream;
    const struct tcpwhy_exchange *e;
};

/* All requests (struct tw_asked_for) that the document shows, stream by stream. */
tw_array *tw_operations_requests(const tcpwhy_report *report,
                                 const struct tcpwhy_render_options *options);

/* One operation of a protocol. Texts are the report's. */
struct tw_operation {
    const char *protocol, *request;
    uint64_t count, failed;                     /* failed: with a detail or a status from 400 on */
    tcpwhy_ns p50_ns, p99_ns, max_ns, total_ns; /* of those that were answered */
    uint64_t request_bytes, response_bytes;
    guint from, to; /* its requests */
};

/* All operations (struct tw_operation) of requests (struct tw_asked_for), which are sorted by
 * operation; those with the slowest p99 first. */
tw_array *tw_operations_of(tw_array *requests);

#endif
