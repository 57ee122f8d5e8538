/* SPDX-License-Identifier: MIT */
/* A capture as a run of wrk, with its correction for coordinated omission. */
#ifndef TW_REPORT_FIGURES_WRK_RUN_H
#define TW_REPORT_FIGURES_WRK_RUN_H

#include "report/figures/distribution.h"
#include "report/figures/service.h"

struct tw_wrk_run {
    struct tw_service service; /* the first of the report; its requests belong to the run */
    tcpwhy_ns interval_ns;     /* from a request of a connection to its next, on average */
    tcpwhy_ns slower_ns;       /* answers that took so long are timeouts */
    double seconds;
    struct tw_distribution plain, corrected;
    struct tw_distribution until_next; /* corrected, of times until the client asked again */
    struct tw_spread rate;             /* answers a second */
    uint64_t timeouts, not_good;       /* not_good: a status from 400 on */
    uint64_t unread;                   /* answers that came after the run */
};

/* @return false if no request was answered; to be cleared all the same. */
bool tw_wrk_run_make(const tcpwhy_report *report, tcpwhy_ns slower_ns, struct tw_wrk_run *out);
void tw_wrk_run_clear(struct tw_wrk_run *run);

#endif
