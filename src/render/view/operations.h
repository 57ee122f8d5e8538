/* SPDX-License-Identifier: MIT */
/*
 * Requests of one name, which for databases is a statement without its values: how many, and how
 * long they took. Which requests the options of a document select.
 */
#ifndef TW_RENDER_VIEW_OPERATIONS_H
#define TW_RENDER_VIEW_OPERATIONS_H

#include <glib.h>

#include <tcpwhy/render.h>

#include "base/array.h"
#include "render/renderer.h"
#include "render/writers/fields.h"
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
tw_array *tw_operations_requests(const struct tw_request *request);

/* A line for a document without any: the capture has none, or none that the options select. */
void tw_operations_say_none(struct tw_layout *page, const struct tw_request *request);

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

/* A table of what operations have in common, under its title; records are as the fields have it. */
void tw_operations_section(struct tw_layout *page, const char *title, const struct tw_field *fields,
                           const tw_array *records);
/* Their table, and the objects of an array that is open, or lines. */
void tw_operations_table(struct tw_layout *page, const tw_array *operations);
void tw_json_operations(struct tw_json *to, const tw_array *operations);
extern const struct tw_field tw_operation_fields[];

/* A row an operation, those that took longest together first. */
void tw_operation_ledger_table(const struct tw_request *request, struct tw_layout *page);
/* As the array "operations" of the object that is open. */
void tw_operation_ledger_json(const struct tw_request *request, struct tw_json *to);

#endif
