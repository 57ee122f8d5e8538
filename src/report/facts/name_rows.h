/* SPDX-License-Identifier: MIT */
/* Lookups, and waits before SYNs, in a report. */
#ifndef TW_REPORT_FACTS_NAME_ROWS_H
#define TW_REPORT_FACTS_NAME_ROWS_H

#include "names/names.h"
#include "report/report.h"

/* A lookup; its name is the report's. */
struct tw_lookup_row {
    struct tw_lookup l;
    tcpwhy_ns took_ns; /* from the query that was answered to its answer; or unknown */
    bool answered;
};

/* Copy them; names may be NULL. */
void tw_name_rows_keep(const struct tw_names *names, tcpwhy_report *report);
void tw_name_rows_free(tcpwhy_report *report);

/* Put names beside the addresses of listeners, findings and failures. */
void tw_name_rows_place(tcpwhy_report *report);

/* The wait before a connection's SYN; NULL: none. */
const struct tcpwhy_before_syn *tw_before_syn_of(const tcpwhy_report *report, uint32_t stream);

/* Add a fact about lookups and their time: if some failed, or the capture has no connection. */
void tw_name_facts_find(tcpwhy_report *report);

#endif
