/* SPDX-License-Identifier: MIT */
/*
 * Spans to ledger entries, and the side that can fix a cause.
 */
#ifndef TW_REPORT_ROWS_LEDGER_H
#define TW_REPORT_ROWS_LEDGER_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/array.h"
#include "base/causes.h"
#include "explain/explain.h"
#include "report/report_rows.h"

/* Add one entry's time to that of the same cause, party, direction, confidence and rival. */
void tw_ledger_add(tw_array *entries, const struct tcpwhy_ledger_entry *entry);

/* A bit for each enum tcpwhy_cause in a stream's ledger. */
tw_causes tw_ledger_causes(const struct tw_stream_row *stream);

/* The costliest first. */
void tw_ledger_sort(struct tcpwhy_ledger_entry *entries, size_t n);

/* Add up the time of all spans, as tw_ledger_add() does; entries has room for one per span. @return
 * the number of entries. */
uint32_t tw_ledger_of_spans(const struct tw_explanation *explanation,
                            struct tcpwhy_ledger_entry *entries);

/* The side that can fix a cause, given the sender whose data waited. */
enum tcpwhy_side tw_cause_endpoint(enum tcpwhy_cause cause, enum tcpwhy_side from);

#endif
