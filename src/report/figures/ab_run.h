/* SPDX-License-Identifier: MIT */
/* A capture as a run of ab: what requests took with and without their connections. */
#ifndef TW_REPORT_FIGURES_AB_RUN_H
#define TW_REPORT_FIGURES_AB_RUN_H

#include "report/figures/distribution.h"
#include "report/figures/service.h"

struct tw_ab_run {
    tw_array *services;
    const struct tw_service *service; /* the first of them */
    double seconds;
    struct tw_distribution connect, processing, waiting, whole;
    tw_array *wholes; /* tcpwhy_ns, sorted */
    uint64_t not_2xx;
};

/* @return false if no request was answered; to be cleared all the same. */
bool tw_ab_run_make(const tcpwhy_report *report, tcpwhy_ns slower_ns, struct tw_ab_run *out);
void tw_ab_run_clear(struct tw_ab_run *run);

#endif
