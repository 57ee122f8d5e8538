/* SPDX-License-Identifier: MIT */
/*
 * The waits of each operation's requests: their times, divided by the causes of the spans
 * that they overlap. Requests that are under way together wait for the same, each for itself.
 */
#ifndef TW_RENDER_VIEW_OPERATION_LEDGER_H
#define TW_RENDER_VIEW_OPERATION_LEDGER_H

#include "render/renderer.h"

/* A row an operation, those that took longest together first. */
void tw_operation_ledger_table(const struct tw_request *request, struct tw_layout *page);
/* As the array "operations" of the object that is open. */
void tw_operation_ledger_json(const struct tw_request *request, struct tw_json *to);

#endif
