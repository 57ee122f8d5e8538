/* SPDX-License-Identifier: MIT */
/*
 * Time series as plain values: curves and their points.
 */
#ifndef TW_REPORT_SERIES_CURVE_H
#define TW_REPORT_SERIES_CURVE_H

#include <glib.h>

#include <tcpwhy/graph.h>

#include "base/array.h"
#include "report/report_rows.h"

/* The way in which a curve's points are drawn. */
enum tw_mark {
    TW_MARK_STEP, /* a value that holds until the next point */
    TW_MARK_BAR,  /* from low to high, at one time */
    TW_MARK_DOT,  /* samples */
};

/* The role of a curve: its name, its look and its drawing order follow from it. */
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
    tw_array *points; /* struct tw_point, in the order of time */
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

#endif
