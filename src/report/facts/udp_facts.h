/* SPDX-License-Identifier: MIT */
/* UDP beside TCP, as a sentence of the report. */
#ifndef TW_REPORT_FACTS_UDP_FACTS_H
#define TW_REPORT_FACTS_UDP_FACTS_H

#include "report/report.h"

/* Add facts of report->udp if it is much of the capture, or all. */
void tw_udp_facts_find(struct tcpwhy_report *report);

#endif
