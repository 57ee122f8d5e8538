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

/* Does the document show this exchange? */
bool tw_operations_select(const struct tcpwhy_render_options *options,
                          const struct tcpwhy_exchange *exchange);

/* One operation of a protocol. Texts are the report's. */
struct tw_operation {
    const char *protocol, *request;
    uint64_t count, failed;                     /* failed: with a detail or a status from 400 on */
    tcpwhy_ns p50_ns, p99_ns, max_ns, total_ns; /* of those that were answered */
};

/* All operations (struct tw_operation) of these exchanges (const struct tcpwhy_exchange *), those
 * with the slowest p99 first. */
tw_array *tw_operations_of(const tw_ptr_array *exchanges);

#endif
