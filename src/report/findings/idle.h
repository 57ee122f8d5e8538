/* SPDX-License-Identifier: MIT */
/*
 * Time in which nobody waited, and how sure that is.
 */
#ifndef TW_REPORT_FINDINGS_IDLE_H
#define TW_REPORT_FINDINGS_IDLE_H

#include "explain/explain.h"

struct tw_idle {
    tcpwhy_ns ns;
    tcpwhy_ns by_confidence[3];
    tcpwhy_ns doubted_ns;    /* the longest line of it that is not certain; 0: all is ... */
    enum tcpwhy_cause rival; /* ... and what that may be */
};

/* Add idle time of a ledger entry. */
void tw_idle_add(struct tw_idle *idle, tcpwhy_ns ns, enum tcpwhy_confidence confidence,
                 enum tcpwhy_cause rival);
void tw_idle_merge(struct tw_idle *into, const struct tw_idle *from);

/* As sure as most of it is. */
/* Does the client go on by a clock of its own all the time, and idle most of it? Telemetry, a film
 * in pieces, a scrape, a rate limit: how long each piece takes is no wait while there is time left.
 */
bool tw_idle_is_steady(const struct tw_explanation *explanation, tcpwhy_ns clock_step_ns);

enum tcpwhy_confidence tw_idle_confidence(const struct tw_idle *idle);

#endif
