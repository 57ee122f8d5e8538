/* SPDX-License-Identifier: MIT */
/*
 * Findings in words: one sentence with the numbers, and what to change.
 */
#ifndef TW_REPORT_FINDINGS_ADVICE_H
#define TW_REPORT_FINDINGS_ADVICE_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/text.h"
#include "report/report.h"

/* The detail of a finding whose longest gap is far above its median. */
#define TW_LONGEST_MS "longest_ms"

/* The detail with the number of endpoints that a finding stands for, each too small alone. */
#define TW_ENDPOINTS "endpoints"

/* Fill summary and remedy; the texts live in the chunk. Costs are in the unit of the finding's
 * whole. */
void tw_advise(struct tw_finding_row *finding, tw_string_chunk *texts);

/* The same for all findings of a report, if it has texts. whole_ns: 0 if no screen shows all of its
 * time. */
void tw_advise_all(tcpwhy_report *report, tcpwhy_ns whole_ns);

/* A summary and a remedy, with places to fill in. */
struct tw_advice {
    const char *summary, *remedy;
};

/* The advice for this kind of a cause; NULL: the cause's own words apply. */
const struct tw_advice *tw_advice_of_kind(enum tcpwhy_cause cause, const char *kind);

#endif
