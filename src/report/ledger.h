/* SPDX-License-Identifier: MIT */
/*
 * Spans to ledger entries, and who holds the knob of a cause.
 */
#ifndef TW_REPORT_LEDGER_H
#define TW_REPORT_LEDGER_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "explain/explain.h"

/* Add one span's time to the entry of its cause, party, direction, confidence and rival. */
void tw_ledger_add(GArray *entries, const struct tcpwhy_ledger_entry *entry);

/* A bit for each enum tcpwhy_cause in a stream's ledger. */
uint32_t tw_ledger_causes(const struct tcpwhy_stream *stream);

/* The costliest first. */
void tw_ledger_sort(GArray *entries);

struct tcpwhy_ledger_entry tw_ledger_entry(const struct tw_span *span);

/* Can the cause be somebody's fault? Wire, handshake, close and the unknown cannot. */
bool tw_cause_blames(enum tcpwhy_cause cause);

/* The side that holds the knob of a cause, given the sender whose data waited. */
enum tcpwhy_side tw_cause_endpoint(enum tcpwhy_cause cause, enum tcpwhy_side from);

#endif
