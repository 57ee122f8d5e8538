/* SPDX-License-Identifier: MIT */
/*
 * Spans to ledger entries, and who holds the knob of a cause.
 */
#ifndef TW_REPORT_LEDGER_H
#define TW_REPORT_LEDGER_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/causes.h"
#include "explain/explain.h"

/* Add one entry's time to that of the same cause, party, direction, confidence and rival. */
void tw_ledger_add(GArray *entries, const struct tcpwhy_ledger_entry *entry);

/* A bit for each enum tcpwhy_cause in a stream's ledger. */
uint32_t tw_ledger_causes(const struct tcpwhy_stream *stream);

/* The costliest first. */
void tw_ledger_sort(GArray *entries);

/* All spans' time likewise, in place of what the entries were. */
void tw_ledger_of_spans(GArray *entries, const struct tw_explanation *explanation);

/* The side that holds the knob of a cause, given the sender whose data waited. */
enum tcpwhy_side tw_cause_endpoint(enum tcpwhy_cause cause, enum tcpwhy_side from);

#endif
