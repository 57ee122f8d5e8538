/* SPDX-License-Identifier: MIT */
/*
 * Spans to ledger entries, and who holds the knob of a cause.
 */
#ifndef TW_REPORT_LEDGER_H
#define TW_REPORT_LEDGER_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "explain/explain.h"

/* Add one entry's time to that of the same cause, party, direction, confidence and rival. */
void tw_ledger_add(GArray *entries, const struct tcpwhy_ledger_entry *entry);

/* A bit for each enum tcpwhy_cause in a stream's ledger. */
uint32_t tw_ledger_causes(const struct tcpwhy_stream *stream);

/* The costliest first. */
void tw_ledger_sort(GArray *entries);

/* All spans' time likewise, in place of what the entries were. */
void tw_ledger_of_spans(GArray *entries, const struct tw_explanation *explanation);

G_STATIC_ASSERT(TCPWHY_N_CAUSES <= 32);

#define TW_BLAMELESS                                                                               \
    (UINT32_C(1) << TCPWHY_CAUSE_NONE | UINT32_C(1) << TCPWHY_HANDSHAKE |                          \
     UINT32_C(1) << TCPWHY_CLIENT_IDLE | UINT32_C(1) << TCPWHY_WIRE |                              \
     UINT32_C(1) << TCPWHY_CLOSE | UINT32_C(1) << TCPWHY_RESET |                                   \
     UINT32_C(1) << TCPWHY_KEEP_ALIVE | UINT32_C(1) << TCPWHY_CAPTURE_GAP |                        \
     UINT32_C(1) << TCPWHY_UNKNOWN)

/* Can the cause be somebody's fault? Wire, handshake, close and the unknown cannot. */
static inline bool tw_cause_blames(enum tcpwhy_cause cause)
{
    return !(TW_BLAMELESS >> cause & 1);
}

/* The side that holds the knob of a cause, given the sender whose data waited. */
enum tcpwhy_side tw_cause_endpoint(enum tcpwhy_cause cause, enum tcpwhy_side from);

#endif
