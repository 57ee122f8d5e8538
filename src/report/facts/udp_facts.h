/* SPDX-License-Identifier: MIT */
/* UDP beside TCP, as a sentence of the report. */
#ifndef TW_REPORT_FACTS_UDP_FACTS_H
#define TW_REPORT_FACTS_UDP_FACTS_H

#include "report/report.h"

/* Tell of report->udp where it is much of the capture, or all of it. */
void tw_udp_facts_find(struct tcpwhy_report *report);

#endif
