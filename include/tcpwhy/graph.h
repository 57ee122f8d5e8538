/* SPDX-License-Identifier: MIT */
/** @file
 * A connection over time: sequence numbers, bytes in flight, windows, rates, round trips.
 * tcpwhy_render() draws them, tcpwhy/views.h has their points.
 */
#ifndef TCPWHY_GRAPH_H
#define TCPWHY_GRAPH_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is drawn over time, always of one direction: its data and what the other side answers. */
enum tcpwhy_graph {
    TCPWHY_GRAPH_SEQUENCE = 0, /**< segments, ACKs, the window's edge, SACK blocks, repairs. */
    TCPWHY_GRAPH_INFLIGHT =
        1, /**< bytes sent and not acknowledged, at the sender; with the window. */
    TCPWHY_GRAPH_WINDOW = 2, /**< the receiver's window, and how much of it is left. */
    TCPWHY_GRAPH_THROUGHPUT =
        3, /**< bits a second sent, and those acknowledged for the first time. */
    TCPWHY_GRAPH_RTT =
        4, /**< round trips at the sender, of what was sent once only; with SRTT and RTO. */
    TCPWHY_GRAPH_CWND =
        5, /**< bounds of the congestion window and ssthresh, with flight and pipe. */
};

/** "sequence", "inflight" ... Static storage. */
TCPWHY_API const char *tcpwhy_graph_name(enum tcpwhy_graph graph);

/** How many graphs there are: they are numbered from 0 to one less. Threads: any. */
TCPWHY_API size_t tcpwhy_graph_count(void);

/**
 * Look up a graph by its name.
 *
 * @param out  set when there is one, else left alone.
 * @return whether there is. Threads: any.
 */
TCPWHY_API bool tcpwhy_graph_by_name(const char *name, enum tcpwhy_graph *out);

/** What to draw; start from TCPWHY_GRAPH_INIT. */
struct tcpwhy_graph_options {
    size_t struct_size;     /**< sizeof the struct, so that it can grow. */
    uint32_t stream;        /**< as tshark numbers it. */
    enum tcpwhy_party from; /**< whose data: client or server; none: of who sent more. */
    tcpwhy_ns from_ns;      /**< since the capture's first frame. */
    tcpwhy_ns to_ns;        /**< likewise; 0: no end. */
    tcpwhy_ns interval_ns;  /**< of throughput; 0: one that suits the length. */
    uint32_t max_points;    /**< JSON: about so many points a curve, extremes kept; 0: all. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_GRAPH_INIT                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_graph_options)                                         \
    }

#ifdef __cplusplus
}
#endif

#endif
