/* SPDX-License-Identifier: MIT */
/*
 * Sentences about the whole capture that a reader should know beside the findings.
 */
#ifndef TW_REPORT_FACTS_FACTS_H
#define TW_REPORT_FACTS_FACTS_H

#include "report/report.h"

/* No status, or several. */
#define TW_STATUS_NONE    0
#define TW_STATUS_SEVERAL UINT16_MAX

/* The one status of two answers, or of two sets of them. */
static inline uint16_t tw_status_common(uint16_t a, uint16_t b)
{
    if (a == TW_STATUS_NONE || a == b)
        return b;
    return b == TW_STATUS_NONE ? a : TW_STATUS_SEVERAL;
}

/* Look at the report's findings, listeners, ports and statuses, and write its facts. */
void tw_facts_find(struct tcpwhy_report *report);

#endif
