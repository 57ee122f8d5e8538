/* SPDX-License-Identifier: MIT */
/* Findings of the waits before SYNs, which are outside of the ledgers: name_lookup, next_hop. */
#ifndef TW_REPORT_FINDINGS_BEFORE_SYN_H
#define TW_REPORT_FINDINGS_BEFORE_SYN_H

#include <glib.h>

#include "names/names.h"
#include "report/report.h"

/* The words of the detail "kind" of lookups that tried other domains before. */
extern const char tw_kind_search_list[];
/* The value for lookups of which one query, for A or AAAA, was answered at once, and the other was
 * not. */
extern const char tw_kind_half_lost[];

/* Append a struct tw_finding_row for each resolver or next hop, and host that waited for it, that
 * matters beside waited_ns of other waits; what rows point to is the report's. @return how long
 * all waits before SYNs were. */
tcpwhy_ns tw_before_syn_find(const struct tw_names *names, tcpwhy_ns waited_ns,
                             tcpwhy_report *report);

#endif
