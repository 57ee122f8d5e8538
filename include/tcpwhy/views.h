/* SPDX-License-Identifier: MIT */
/** @file
 * What pictures are drawn from, for programs that draw their own: the curves of a graph and the
 * rows of a flow graph. Reports need keep_spans.
 */
#ifndef TCPWHY_VIEWS_H
#define TCPWHY_VIEWS_H

#include <tcpwhy/graph.h>
#include <tcpwhy/render.h>
#include <tcpwhy/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a curve's points belong together. */
enum tcpwhy_mark {
    TCPWHY_MARK_STEP = 0, /**< a value that holds until the next point. */
    TCPWHY_MARK_BAR = 1,  /**< from low to high, at one time. */
    TCPWHY_MARK_DOT = 2,  /**< samples. */
};

/**
 * One curve of a graph: its points, in the order of time, as arrays of n_points. Values are bytes,
 * but bits a second of throughput and nanoseconds of round trips.
 */
struct tcpwhy_curve {
    const char *name;         /**< "data", "ack", "window_edge", "flight" ... */
    enum tcpwhy_mark mark;    /**< how its points belong together. */
    size_t n_points;          /**< how many. */
    const tcpwhy_ns *time_ns; /**< since the first frame of the capture. */
    const int64_t *low;       /**< the value; of a bar its lower end. */
    const int64_t *high;      /**< the same; of a bar its upper end. */
    const uint32_t *frames;   /**< that each comes from; 0: none. */
};

/** The curves of one graph, for one direction of a stream. */
struct tcpwhy_series {
    enum tcpwhy_graph graph;         /**< which graph. */
    uint32_t stream;                 /**< of which stream. */
    enum tcpwhy_side from;           /**< whose data. */
    tcpwhy_ns from_ns;               /**< what is shown, since the capture's first frame ... */
    tcpwhy_ns to_ns;                 /**< ... until then. */
    tcpwhy_ns interval_ns;           /**< of rates; 0 for other graphs. */
    int64_t ceiling;                 /**< a level that was never passed; 0: none. */
    enum tcpwhy_cause ceiling_cause; /**< why. */
    const struct tcpwhy_curve *const *curves; /**< those that have points. */
    size_t n_curves;                          /**< how many. */
};

/**
 * Compute the curves of a graph, every point of them.
 *
 * @param options  which stream and what of it, or NULL: TCPWHY_GRAPH_INIT; max_points is not
 *                 looked at.
 * @param out      set on success; the caller releases it with tcpwhy_series_free(). It does not
 *                 point into the report.
 * @return 0, or TCPWHY_ERR_ARGUMENT when the report holds no such stream with its spans;
 *         TCPWHY_ERR_USAGE when report or out is NULL.
 */
TCPWHY_API int tcpwhy_series_new(const tcpwhy_report *report, enum tcpwhy_graph graph,
                                 const struct tcpwhy_graph_options *options,
                                 struct tcpwhy_series **out);

/** Release a series and its points. NULL does nothing. */
TCPWHY_API void tcpwhy_series_free(struct tcpwhy_series *series);

/** What a row of a flow graph is. */
enum tcpwhy_flow_kind {
    TCPWHY_FLOW_FRAME = 0, /**< one frame. */
    TCPWHY_FLOW_RUN = 1, /**< alike frames of one side, with the other's pure ACKs between them. */
    TCPWHY_FLOW_GAP = 2, /**< silence. */
    TCPWHY_FLOW_CUT = 3, /**< frames left out: beyond max_rows, or alike those around them. */
};

/** One row of a flow graph. */
struct tcpwhy_flow_row {
    enum tcpwhy_flow_kind kind;            /**< what it is. */
    enum tcpwhy_side from;                 /**< the sender; of a gap, whose data waited. */
    uint32_t first_frame;                  /**< of a gap, the frame before it. */
    uint32_t last_frame;                   /**< of a gap, the frame after it. */
    tcpwhy_ns from_ns;                     /**< time of the first frame. */
    tcpwhy_ns to_ns;                       /**< time of the last. */
    enum tcpwhy_class frame_class;         /**< of a frame, or of a run's frames. */
    uint16_t flags;                        /**< of the first frame, as in its header. */
    int64_t seq;                           /**< of the first frame, unwrapped. */
    int64_t ack;                           /**< likewise. */
    int64_t window_bytes;                  /**< likewise; -1: the scale is not known. */
    uint64_t bytes;                        /**< payload of the frame, or of the run. */
    uint32_t frames;                       /**< of the run's side; of a cut, all of them. */
    uint32_t acks;                         /**< pure ACKs of the other side inside a run. */
    uint32_t nth;                          /**< which duplicate ACK, which SYN; 0: none. */
    enum tcpwhy_cause cause;               /**< of a gap, what most of it waited for; or NONE. */
    enum tcpwhy_party party;               /**< of a gap, the side that can fix it. */
    enum tcpwhy_confidence confidence;     /**< of a gap, how sure. */
    enum tcpwhy_cause rival;               /**< of a gap, what else it may be. */
    const struct tcpwhy_exchange *asks;    /**< whose request begins here; in the report. */
    const struct tcpwhy_exchange *answers; /**< whose response begins here; in the report. */
    uint32_t duplicate_acks;               /**< of acks, duplicate ones. */
};

/** A flow graph of one stream. */
struct tcpwhy_flow {
    uint32_t stream;   /**< as tshark numbers it. */
    const char *shows; /**< "whole", "asked", "exchange" or "span": which part. */
    const struct tcpwhy_flow_row *const *rows; /**< from top to bottom. */
    size_t n_rows;                             /**< how many. */
};

/**
 * Compute the rows of a stream's flow graph, as TCPWHY_DOC_FLOW draws them.
 *
 * @param options  NULL: TCPWHY_FLOW_INIT; together is not looked at.
 * @param out      set on success; the caller releases it with tcpwhy_flow_free(), before the
 *                 report, which its exchanges stand in.
 * @return 0, or TCPWHY_ERR_ARGUMENT when the report holds no such stream with its spans;
 *         TCPWHY_ERR_USAGE when report or out is NULL.
 */
TCPWHY_API int tcpwhy_flow_new(const tcpwhy_report *report, uint32_t stream,
                               const struct tcpwhy_flow_options *options, struct tcpwhy_flow **out);

/** Release a flow graph. NULL does nothing. */
TCPWHY_API void tcpwhy_flow_free(struct tcpwhy_flow *flow);

#ifdef __cplusplus
}
#endif

#endif
