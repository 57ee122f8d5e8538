/* SPDX-License-Identifier: MIT */
/* Operations as tables: how long they took, and what they waited for. */
#ifndef TW_RENDER_VIEW_OPERATIONS_H
#define TW_RENDER_VIEW_OPERATIONS_H

#include "base/array.h"
#include "render/renderer.h"
#include "render/writers/fields.h"
#include "report/figures/operations.h"

/* A line for a document without any: the capture has none, or none that the options select. */
void tw_operations_say_none(struct tw_layout *page, const struct tw_request *request);

/* A table of what operations have in common, under its title; records are as the fields have it. */
void tw_operations_section(struct tw_layout *page, const char *title, const struct tw_field *fields,
                           const tw_array *records);
extern const struct tw_field tw_operation_fields[];

/* A row an operation, those that took longest together first. */
void tw_operation_ledger_table(const struct tw_request *request, struct tw_layout *page);
/* As the array "operations" of the object that is open. */
void tw_operation_ledger_json(const struct tw_request *request, struct tw_json *to);

#endif
