/* SPDX-License-Identifier: MIT */
/* Inside the series: one builder a graph, and what they share. */
#ifndef TW_REPORT_SERIES_SERIES_KIND_H
#define TW_REPORT_SERIES_SERIES_KIND_H

#include "log/log.h"
#include "report/series/curve.h"

struct tw_series_scene {
    const struct tw_log *log;
    const struct tcpwhy_graph_options *options;
    struct tw_series *series;
};

/* A curve to be filled; it stays empty when the connection has none of it. */
struct tw_curve *tw_series_curve(struct tw_series *series, enum tw_role role, enum tw_mark mark);
void tw_curve_add(struct tw_curve *curve, tcpwhy_ns time_ns, int64_t low, int64_t high,
                  uint32_t frame);

/* One way between the vantage and the sender of the series' data. */
tcpwhy_ns tw_series_way(const struct tw_series *series);

/*
 * The direction's frames as they pass its sender: what it sends half a round trip earlier than the
 * vantage sees it, what it hears as much later.
 */
struct tw_passing {
    const struct tw_log *log;
    enum tcpwhy_side from;
    tcpwhy_ns way_ns;
    uint32_t sent, heard; /* next record of each side */
};

struct tw_passing tw_passing_begin(const struct tw_series_scene *scene);
/* The next frame and its time at the sender; NULL at the end. */
const struct tw_record *tw_passing_next(struct tw_passing *passing, tcpwhy_ns *time_ns);

void tw_series_sequence(const struct tw_series_scene *scene);
void tw_series_inflight(const struct tw_series_scene *scene);
void tw_series_window(const struct tw_series_scene *scene);
void tw_series_throughput(const struct tw_series_scene *scene);
void tw_series_rtt(const struct tw_series_scene *scene);
void tw_series_cwnd(const struct tw_series_scene *scene);

/* The highest flight in each interval that was charged to the send buffer; their median. */
void tw_series_find_send_buffer(struct tw_series *series, const struct tw_curve *flight);

#endif
