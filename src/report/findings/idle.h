/* SPDX-License-Identifier: MIT */
/*
 * Time in which nobody waited, and how sure that is.
 */
#ifndef TW_REPORT_FINDINGS_IDLE_H
#define TW_REPORT_FINDINGS_IDLE_H

#include <tcpwhy/types.h>

struct tw_idle {
    tcpwhy_ns ns;
    tcpwhy_ns by_confidence[3];
    tcpwhy_ns doubted_ns;    /* the longest line of it that is not certain; 0: all is ... */
    enum tcpwhy_cause rival; /* ... and what that may be */
};

/* As much of a ledger. */
void tw_idle_add(struct tw_idle *idle, tcpwhy_ns ns, enum tcpwhy_confidence confidence,
                 enum tcpwhy_cause rival);
void tw_idle_merge(struct tw_idle *into, const struct tw_idle *from);

/* As sure as most of it is. */
enum tcpwhy_confidence tw_idle_confidence(const struct tw_idle *idle);

#endif
