/* SPDX-License-Identifier: MIT */
/* Latencies over time: how many requests of each interval took how long. */
#ifndef TW_REPORT_FIGURES_HEAT_H
#define TW_REPORT_FIGURES_HEAT_H

#include "report/figures/service.h"

struct tw_heat {
    tcpwhy_ns from_ns, step_ns;          /* of the first column; width of each */
    guint columns, rows;                 /* row 0 has the shortest times */
    double low_ns, ratio;                /* row r is from low * ratio^r to low * ratio^(r + 1) */
    uint32_t *count;                     /* columns after columns of rows */
    uint32_t most;                       /* the largest of them */
    uint32_t *asked;                     /* requests that began in each column, answered or not */
    uint32_t *unanswered;                /* of these, never answered */
    tcpwhy_ns *p50_ns, *p99_ns, *max_ns; /* unknown where nothing was answered */
};

/* columns, rows: the most; intervals are 1, 2 or 5 times a power of ten. Latencies count where
 * their request began. @return false if nothing was answered. */
bool tw_heat_make(const struct tw_service *service, guint columns, guint rows, struct tw_heat *out);
void tw_heat_clear(struct tw_heat *heat);

uint32_t tw_heat_count(const struct tw_heat *heat, guint column, guint row);
/* Lower bound of a row; of the index after the last, its upper bound. */
tcpwhy_ns tw_heat_bound(const struct tw_heat *heat, guint row);

#endif
