/* SPDX-License-Identifier: MIT */
/*
 * Findings in words: one sentence with the numbers, and what to change.
 */
#ifndef TW_REPORT_FINDINGS_ADVICE_H
#define TW_REPORT_FINDINGS_ADVICE_H

#include <glib.h>

#include <tcpwhy/report.h>

#include "base/text.h"
#include "report/report_rows.h"

/* The detail that a finding has whose longest wait the median tells nothing of. */
#define TW_LONGEST_MS "longest_ms"

/* The detail of how many endpoints a finding stands for, each of which is too small alone. */
#define TW_ENDPOINTS "endpoints"

/* Fill summary and remedy; the texts live in the chunk. */
void tw_advise(struct tw_finding_row *finding, tw_string_chunk *texts);

/* A summary and a remedy, with places to fill in. */
struct tw_advice {
    const char *summary, *remedy;
};

/* What to say instead for this kind of a cause, NULL when the cause's own words will do. */
const struct tw_advice *tw_advice_of_kind(enum tcpwhy_cause cause, const char *kind);

#endif
