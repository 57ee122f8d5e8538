/* SPDX-License-Identifier: MIT */
/*
 * The waits of each operation's requests: their times, divided by the causes of the spans that they
 * overlap. Requests that are under way together wait for the same, each for itself.
 */
#ifndef TW_REPORT_FIGURES_OPERATION_WAITS_H
#define TW_REPORT_FIGURES_OPERATION_WAITS_H

#include "base/counts.h"
#include "report/figures/operations.h"

/* Time by cause. */
struct tw_waits {
    tcpwhy_ns ns[TW_N_CAUSES];
};

struct tw_operation_waits {
    struct tw_operation o;
    struct tw_waits all, slowest;
    struct tw_asked_for slowest_request; /* e NULL: none was answered */
    uint32_t slowest_stream;
};

/* A struct tw_operation_waits of each operation that the options select, those that took longest
 * together first. */
tw_array *tw_operation_waits(const tcpwhy_report *report,
                             const struct tcpwhy_render_options *options);

#endif
