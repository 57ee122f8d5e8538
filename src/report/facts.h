/* SPDX-License-Identifier: MIT */
/*
 * Sentences about the whole capture that a reader should know beside the findings.
 */
#ifndef TW_REPORT_FACTS_H
#define TW_REPORT_FACTS_H

#include "report/report.h"

/* No status, or several. */
#define TW_STATUS_NONE    0
#define TW_STATUS_SEVERAL UINT16_MAX

/* Look at the report's findings, listeners, ports and statuses, and write its facts. */
void tw_facts_find(struct tcpwhy_report *report);

#endif
