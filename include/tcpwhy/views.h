/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The data behind pictures, for programs that draw their own: the curves of a graph and the rows of
 * a flow graph. Reports need keep_spans.
 */
#ifndef TCPWHY_VIEWS_H
#define TCPWHY_VIEWS_H

#include <tcpwhy/graph.h>
#include <tcpwhy/render.h>
#include <tcpwhy/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Marks that connect the points of a curve. */
enum tcpwhy_mark {
    TCPWHY_MARK_STEP = 0, /**< a value that holds until the next point. */
    TCPWHY_MARK_BAR = 1,  /**< a bar from low to high at one time. */
    TCPWHY_MARK_DOT = 2,  /**< separate samples. */
};

/**
 * One curve of a graph: its points in order of time, as arrays of n_points. Values are bytes,
 * except bits per second for throughput and nanoseconds for RTT.
 */
struct tcpwhy_curve {
    const char *name;         /**< "data", "ack", "window_edge", "flight" ... */
    enum tcpwhy_mark mark;    /**< how to connect its points. */
    size_t n_points;          /**< number of points. */
    const tcpwhy_ns *time_ns; /**< times, since the first frame of the capture. */
    const int64_t *low;       /**< values; the lower ends of bars. */
    const int64_t *high;      /**< values; the upper ends of bars. */
    const uint32_t *frames;   /**< the frame that each point comes from; 0: none. */
};

/** The curves of one graph, for one direction of a stream. */
struct tcpwhy_series {
    enum tcpwhy_graph graph;                  /**< its kind. */
    uint32_t stream;                          /**< its stream. */
    enum tcpwhy_side from;                    /**< the data's sender. */
    tcpwhy_ns from_ns;                        /**< start, since the capture's first frame. */
    tcpwhy_ns to_ns;                          /**< end, since the capture's first frame. */
    tcpwhy_ns interval_ns;                    /**< interval of rates; 0 for other graphs. */
    int64_t ceiling;                          /**< a level that was never exceeded; 0: none. */
    enum tcpwhy_cause ceiling_cause;          /**< the cause of that level. */
    const struct tcpwhy_curve *const *curves; /**< the curves that have points. */
    size_t n_curves;                          /**< number of curves. */
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

/** Kinds of rows in a flow graph. */
enum tcpwhy_flow_kind {
    TCPWHY_FLOW_FRAME = 0, /**< one frame. */
    TCPWHY_FLOW_RUN =
        1, /**< similar frames of one side, with the other side's pure ACKs between them. */
    TCPWHY_FLOW_GAP = 2, /**< a gap. */
    TCPWHY_FLOW_CUT = 3, /**< frames left out: beyond max_rows, or similar to those around them. */
};

/** One row of a flow graph. */
struct tcpwhy_flow_row {
    enum tcpwhy_flow_kind kind;    /**< its kind. */
    enum tcpwhy_side from;         /**< the sender; for a gap, the side whose data waited. */
    uint32_t first_frame;          /**< first frame; for a gap, the frame before it. */
    uint32_t last_frame;           /**< last frame; for a gap, the frame after it. */
    tcpwhy_ns from_ns;             /**< time of the first frame. */
    tcpwhy_ns to_ns;               /**< time of the last frame. */
    enum tcpwhy_class frame_class; /**< class of the frame, or of a run's frames. */
    uint16_t flags;                /**< flags of the first frame, as in its header. */
    int64_t seq;                   /**< sequence number of the first frame, unwrapped. */
    int64_t ack;                   /**< acknowledgment number of the first frame, unwrapped. */
    int64_t window_bytes;    /**< scaled window of the first frame; -1: the scale is unknown. */
    uint64_t bytes;          /**< payload of the frame, or of the run. */
    uint32_t frames;         /**< frames of the run's side; for a cut, of both sides. */
    uint32_t acks;           /**< pure ACKs from the other side inside a run. */
    uint32_t nth;            /**< number of the duplicate ACK or SYN; 0: neither. */
    enum tcpwhy_cause cause; /**< for a gap, the cause of most of it; or NONE. */
    enum tcpwhy_party party; /**< for a gap, the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< for a gap, the confidence. */
    enum tcpwhy_cause rival;           /**< for a gap, the next most likely cause. */
    const struct tcpwhy_exchange
        *asks; /**< the exchange whose request begins here; it is in the report. */
    const struct tcpwhy_exchange
        *answers;            /**< the exchange whose response begins here; it is in the report. */
    uint32_t duplicate_acks; /**< how many of acks are duplicate ACKs. */
};

/** A flow graph of one stream. */
struct tcpwhy_flow {
    uint32_t stream;   /**< stream number, as in tshark. */
    const char *shows; /**< the part shown: "whole", "asked", "exchange" or "span". */
    const struct tcpwhy_flow_row *const *rows; /**< rows from top to bottom. */
    size_t n_rows;                             /**< number of rows. */
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
