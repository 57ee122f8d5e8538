/* SPDX-License-Identifier: MIT */
/**
 * @file
 * A connection over time: sequence numbers, bytes in flight, windows, rates, round trips.
 * tcpwhy_render() draws them; tcpwhy/views.h has their points.
 */
#ifndef TCPWHY_GRAPH_H
#define TCPWHY_GRAPH_H

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Kinds of graph, over time. A graph shows one direction: its data, and what the other side
 * answers. */
enum tcpwhy_graph {
    TCPWHY_GRAPH_SEQUENCE =
        0, /**< segments, ACKs, the window's right edge, SACK blocks, retransmissions. */
    TCPWHY_GRAPH_INFLIGHT =
        1, /**< bytes sent and not yet acknowledged, at the sender; with the window. */
    TCPWHY_GRAPH_WINDOW = 2, /**< the receive window, and the part of it that is free. */
    TCPWHY_GRAPH_THROUGHPUT =
        3, /**< bits per second sent, and bits per second acknowledged for the first time. */
    TCPWHY_GRAPH_RTT = 4,  /**< RTT samples at the sender, of data sent once; with SRTT and RTO. */
    TCPWHY_GRAPH_CWND = 5, /**< bounds of cwnd and ssthresh, with flight and pipe. */
};

/** "sequence", "inflight" ... Static storage. */
TCPWHY_API const char *tcpwhy_graph_name(enum tcpwhy_graph graph);

/** Number of kinds of graph; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_graph_count(void);

/**
 * Look up a graph by its name. @param out  set if there is one, else unchanged. @return whether
 * there is one. Threads: any.
 */
TCPWHY_API bool tcpwhy_graph_by_name(const char *name, enum tcpwhy_graph *out);

/** Options of a graph; start from TCPWHY_GRAPH_INIT. */
struct tcpwhy_graph_options {
    size_t struct_size;     /**< sizeof the struct, so that it can grow. */
    uint32_t stream;        /**< stream number, as in tshark. */
    enum tcpwhy_party from; /**< the data's sender: client or server; none: whichever sent more. */
    tcpwhy_ns from_ns;      /**< start, since the capture's first frame. */
    tcpwhy_ns to_ns;        /**< end, since the capture's first frame; 0: none. */
    tcpwhy_ns interval_ns;  /**< interval of the throughput graph; 0: one that suits the length. */
    uint32_t max_points;    /**< JSON: about this many points per curve, extremes kept; 0: all. */
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
