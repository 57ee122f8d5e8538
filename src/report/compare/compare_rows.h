/* SPDX-License-Identifier: MIT */
/*
 * Rows of a comparison as the library itself keeps them; see report/report_rows.h.
 */
#ifndef TW_REPORT_COMPARE_COMPARE_ROWS_H
#define TW_REPORT_COMPARE_COMPARE_ROWS_H

#include <tcpwhy/compare.h>

struct tw_listener_change {
    struct tcpwhy_endpoint endpoint[2];
    uint64_t connections[2];
    uint64_t unanswered[2];
    uint64_t refused[2];
    struct tcpwhy_percentiles latency[2];
    struct tcpwhy_percentiles good[2]; /* latency without answers 5xx */
    uint64_t unheard[2];               /* requests without an answer */
    struct tcpwhy_status_classes status[2];
    uint64_t payload_bytes[2];
    tcpwhy_ns life_ns[2];
    tcpwhy_ns waited_ns[2];
    tcpwhy_ns lost_ns[2];
    enum tcpwhy_per per;
    enum tcpwhy_change change;
    const struct tcpwhy_cause_change *causes;
    size_t n_causes;
};

struct tw_comparison_verdict {
    enum tcpwhy_change change;
    bool same_capture;
    enum tcpwhy_measure measure;
    int64_t value[2];
    const struct tw_listener_change *listener;
    const struct tcpwhy_cause_change *causes[2];
    const struct tcpwhy_cause_change *opening;
    const struct tcpwhy_cause_change *but;
    size_t better;
    size_t worse;
};

/* As tw_report_hold() and tw_report_let_go(). */
void tw_comparison_hold(const tcpwhy_comparison *comparison);
void tw_comparison_let_go(const tcpwhy_comparison *comparison);

const struct tw_comparison_verdict *tw_comparison_verdict(const tcpwhy_comparison *comparison);
const struct tw_listener_change *tw_comparison_whole(const tcpwhy_comparison *comparison);
const struct tw_listener_change *tw_comparison_listeners(const tcpwhy_comparison *comparison,
                                                         size_t *n);
const struct tcpwhy_unfair *tw_comparison_unfair(const tcpwhy_comparison *comparison, size_t *n);

#endif
