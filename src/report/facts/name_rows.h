/* SPDX-License-Identifier: MIT */
/* What a report keeps of lookups, and of the waits before SYNs. */
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

/* Tell how many names were looked up and how long that took: where some were in vain, or the
 * capture holds no connection. */
void tw_name_facts_find(tcpwhy_report *report);

#endif
