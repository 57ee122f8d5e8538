/* SPDX-License-Identifier: MIT */
/*
 * Time series of one direction of a stream, computed from its log. Drawing is the renderer's.
 */
#ifndef TW_REPORT_SERIES_SERIES_H
#define TW_REPORT_SERIES_SERIES_H

#include <glib.h>

#include <tcpwhy/graph.h>

#include "log/log.h"
#include "report/report_rows.h"

/* How a curve's points belong together. */
enum tw_mark {
    TW_MARK_STEP, /* a value that holds until the next point */
    TW_MARK_BAR,  /* from low to high, at one time */
    TW_MARK_DOT,  /* samples */
};

/* What a curve is; its name, its look and its place in the drawing order follow from it. */
enum tw_role {
    TW_ROLE_WINDOW,
    TW_ROLE_EDGE,
    TW_ROLE_USABLE,
    TW_ROLE_DATA,
    TW_ROLE_ACK,
    TW_ROLE_SACK,
    TW_ROLE_SSTHRESH_LOW,
    TW_ROLE_SSTHRESH_HIGH,
    TW_ROLE_CWND_LOW,
    TW_ROLE_CWND_HIGH,
    TW_ROLE_PIPE,
    TW_ROLE_FLIGHT,
    TW_ROLE_SENT,
    TW_ROLE_ACKED,
    TW_ROLE_RTT,
    TW_ROLE_SRTT,
    TW_ROLE_RTO,
    TW_ROLE_OUT_OF_ORDER,
    TW_ROLE_PROBE,
    TW_ROLE_ZERO_WINDOW,
    TW_ROLE_LOSS,
    TW_ROLE_RETRANSMISSION,
    TW_N_ROLES,
};

struct tw_point {
    tcpwhy_ns time_ns;
    int64_t low, high; /* equal but for bars */
    uint32_t frame;    /* 0: none */
};

struct tw_curve {
    enum tw_role role;
    enum tw_mark mark;
    GArray *points; /* struct tw_point, in the order of time */
};

/* A level that the connection never passed, and why. */
struct tw_inflight_limit {
    int64_t value; /* 0: none */
    enum tcpwhy_cause cause;
};

#define TW_MAX_CURVES 9

struct tw_series {
    enum tcpwhy_graph graph;
    const struct tw_stream_row *stream;
    enum tcpwhy_side from;    /* whose data */
    tcpwhy_ns from_ns, to_ns; /* what is shown */
    tcpwhy_ns interval_ns;    /* of rates; 0 otherwise */
    struct tw_curve curve[TW_MAX_CURVES];
    unsigned n_curves;
    struct tw_inflight_limit ceiling;
};

/* The series of a graph. Bytes, but bits a second for throughput and nanoseconds for rtt. */
void tw_series_build(const struct tw_stream_row *stream, const struct tw_log *log,
                     enum tcpwhy_graph graph, const struct tcpwhy_graph_options *options,
                     struct tw_series *out);
void tw_series_clear(struct tw_series *series);

/* Lowest and highest value of all points; false when there is none. */
bool tw_series_range(const struct tw_series *series, int64_t *low, int64_t *high);

#endif
