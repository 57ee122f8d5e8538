/* SPDX-License-Identifier: MIT */
/* SYNs that measure, as sentences of the report. */
#ifndef TW_REPORT_FACTS_PROBE_FACTS_H
#define TW_REPORT_FACTS_PROBE_FACTS_H

#include "report/report.h"

/* Tell of report->probes: figures of pings, hops of routes. */
void tw_probe_facts_find(struct tcpwhy_report *report);

/* The probes' share of a listener's half-open handshakes and unanswered SYNs. */
struct tw_probe_share {
    uint64_t half_open, lost;
};

struct tw_probe_share tw_probe_facts_share(const struct tcpwhy_report *report,
                                           const struct tcpwhy_endpoint *listener);

#endif
