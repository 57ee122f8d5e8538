/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Compare two reports, before and after, by listener and by cause. Two captures hold different
 * amounts of traffic, so times are compared per request; per connection if there are no requests;
 * or per megabyte if much is carried without any.
 */
#ifndef TCPWHY_COMPARE_H
#define TCPWHY_COMPARE_H

#include <tcpwhy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A comparison of two reports; opaque. */
typedef struct tcpwhy_comparison tcpwhy_comparison;

/** Indexes arrays of two. */
enum tcpwhy_when { TCPWHY_BEFORE = 0, TCPWHY_AFTER = 1 };

/** Kinds of change; tcpwhy_change_name() names them. */
enum tcpwhy_change {
    TCPWHY_CHANGE_NONE = 0, /**< no difference that a person would act on. */
    TCPWHY_CHANGE_BETTER = 1,
    TCPWHY_CHANGE_GONE = 2, /**< better: next to nothing is left of it. */
    TCPWHY_CHANGE_WORSE = 3,
    TCPWHY_CHANGE_NEW = 4, /**< worse: there was next to nothing of it before. */
    TCPWHY_CHANGE_OTHER =
        5, /**< different, and nobody gains or loses by it: idle time, propagation. */
    TCPWHY_CHANGE_UNKNOWN = 6, /**< one of the two captures has nothing to compare. */
};

/** Number of values; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_change_count(void);

/** "none", "better", "gone", "worse", "new", "different" or "unknown". Static storage. */
TCPWHY_API const char *tcpwhy_change_name(enum tcpwhy_change change);

/** The unit that times are divided by before they are compared. */
enum tcpwhy_per {
    TCPWHY_PER_EXCHANGE = 0,   /**< answered request. */
    TCPWHY_PER_CONNECTION = 1, /**< connection: one of the two captures has no requests. */
    TCPWHY_PER_MEGABYTE =
        2, /**< megabyte (1,000,000 bytes): no requests, and much is carried in both. */
};

/** "exchange", "connection" or "megabyte". Static storage. */
TCPWHY_API const char *tcpwhy_per_name(enum tcpwhy_per per);

/** A cause and the party that owns it, before and after. */
struct tcpwhy_cause_change {
    enum tcpwhy_cause cause;              /**< the cause. */
    enum tcpwhy_party party;              /**< the side that can fix it. */
    enum tcpwhy_confidence confidence[2]; /**< the confidence of the largest part of its time. */
    tcpwhy_ns ns[2];                      /**< total time. */
    uint64_t count[2];                    /**< number of separate intervals. */
    tcpwhy_ns per_exchange_ns[2];         /**< time per exchange; unknown without exchanges. */
    tcpwhy_ns per_connection_ns[2];       /**< time per connection; unknown without connections. */
    tcpwhy_ns per_megabyte_ns[2]; /**< time per megabyte of payload; unknown without payload. */
    double share[2]; /**< share of the time in which somebody waited, or could have, 0 to 1; 0 for
                        idle time and the like. */
    enum tcpwhy_per by; /**< the unit by which the change was judged; always the connection for the
                           cost of opening one. */
    enum tcpwhy_change change; /**< how it changed. */
};

/** A listener of one capture and its counterpart in the other; or both captures as a whole. */
struct tcpwhy_listener_change {
    struct tcpwhy_endpoint endpoint[2]; /**< version 0: the whole capture, or no counterpart. */
    uint64_t connections[2];            /**< connections that were tried. */
    uint64_t unanswered[2];             /**< connections that were not answered. */
    uint64_t refused[2];                /**< connections that were refused. */
    const struct tcpwhy_percentiles *latency[2]; /**< response times of its exchanges. */
    struct tcpwhy_status_classes status[2];      /**< status classes of its answers. */
    uint64_t payload_bytes[2]; /**< payload in both directions; retransmitted bytes count once. */
    tcpwhy_ns life_ns[2];      /**< total life of all connections. */
    tcpwhy_ns waited_ns[2];    /**< the part of it without idle time, keep-alives and closing. */
    tcpwhy_ns lost_ns[2];      /**< the part of that which somebody can get back. */
    enum tcpwhy_per per;       /**< the unit by which the listener was judged. */
    enum tcpwhy_change change; /**< how it changed. */
    const struct tcpwhy_cause_change *const *causes; /**< its causes, the largest change first. */
    size_t n_causes;                                 /**< number of causes. */
};

/** The measure that the verdict speaks of. */
enum tcpwhy_measure {
    TCPWHY_MEASURE_NONE = 0, /**< nothing to measure: one of the two has no connection. */
    TCPWHY_MEASURE_P50 = 1,  /**< response time of requests, nanoseconds. */
    TCPWHY_MEASURE_P90 = 2,
    TCPWHY_MEASURE_P99 = 3,
    TCPWHY_MEASURE_ANSWERED = 4, /**< requests answered; one of the two has none. */
    TCPWHY_MEASURE_OPENING = 5,  /**< time to open a connection, failures included, nanoseconds. */
    TCPWHY_MEASURE_RATE = 6,   /**< payload bits per second of the time in which somebody waited. */
    TCPWHY_MEASURE_LOST = 7,   /**< time that a connection lost, nanoseconds. */
    TCPWHY_MEASURE_FAILED = 8, /**< failed requests (5xx, or no answer) per million. */
};

/** "none", "p50", "p90", "p99", "answered", "opening", "rate", "lost" or "failed". Static storage.
 */
TCPWHY_API const char *tcpwhy_measure_name(enum tcpwhy_measure measure);

/** The largest change for better or worse. */
struct tcpwhy_comparison_verdict {
    enum tcpwhy_change change; /**< none, better, worse or unknown. */
    bool same_capture; /**< both reports are of the same capture, so that nothing can differ. */
    enum tcpwhy_measure measure; /**< the measure. */
    int64_t value[2];            /**< its values, in its unit. */
    const struct tcpwhy_listener_change
        *listener; /**< the listener that changed; NULL: the captures as a whole. */
    const struct tcpwhy_cause_change
        *causes[2]; /**< the causes of the change, largest first; or NULL. */
    const struct tcpwhy_cause_change
        *opening; /**< a second cause, outside requests, in the opening of connections; or NULL. */
    const struct tcpwhy_cause_change
        *but;      /**< the largest change in the opposite direction; or NULL. */
    size_t better; /**< number of listeners that got better. */
    size_t worse;  /**< number of listeners that got worse. */
};

/** A reason why the two captures may not be comparable. */
struct tcpwhy_unfair {
    const char *fact; /**< stable word: "other_listeners", "lengths", "few_exchanges",
                           "vantage", "path", "sizes", "errors", "load", "quality". */
    const char
        *detail;      /**< for "quality": the word that tcpwhy_quality has for the fact; else "". */
    const char *text; /**< for "quality": its sentence; else "". */
    double value[2];  /**< values before and after, in the unit of the fact: listeners without a
                         counterpart, nanoseconds, exchanges, enum tcpwhy_vantage, nanoseconds of
                         RTT, bytes per exchange, share of errors, concurrent connections, count. */
};

/**
 * Compare two reports. Listeners are matched by endpoint, then by port, and the last one of each by
 * being the only one left.
 *
 * @param before, after  may be released before the comparison, which holds on to both.
 * @param out            set to a comparison that the caller owns and releases with
 *                       tcpwhy_comparison_free().
 * @return 0, or TCPWHY_ERR_USAGE when one of the three is NULL.
 *
 * Threads: safe to call at once from several threads, with the same reports, too.
 */
TCPWHY_API int tcpwhy_compare(const tcpwhy_report *before, const tcpwhy_report *after,
                              tcpwhy_comparison **out);

/** Release a comparison. The reports stay their owners'. NULL does nothing. */
TCPWHY_API void tcpwhy_comparison_free(tcpwhy_comparison *comparison);

/** The report at that end of the comparison. It lives as long as the comparison. */
TCPWHY_API const tcpwhy_report *tcpwhy_comparison_report(const tcpwhy_comparison *comparison,
                                                         enum tcpwhy_when when);

/** The verdict. It lives as long as the comparison. */
TCPWHY_API const struct tcpwhy_comparison_verdict *
tcpwhy_comparison_verdict(const tcpwhy_comparison *comparison);

/** Both captures as a whole. */
TCPWHY_API const struct tcpwhy_listener_change *
tcpwhy_comparison_whole(const tcpwhy_comparison *comparison);

/** Number of listeners. Threads: any. */
TCPWHY_API size_t tcpwhy_comparison_listener_count(const tcpwhy_comparison *comparison);

/**
 * Get a listener. Those that are in both captures come first, the largest change first among them.
 * @return the listener at index i, or NULL beyond the last. Threads: any.
 */
TCPWHY_API const struct tcpwhy_listener_change *
tcpwhy_comparison_listener(const tcpwhy_comparison *comparison, size_t i);

/** Number of reasons why the two may not be comparable; usually 0. Threads: any. */
TCPWHY_API size_t tcpwhy_comparison_unfair_count(const tcpwhy_comparison *comparison);

/** Get such a reason. @return the one at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_unfair *tcpwhy_comparison_unfair(const tcpwhy_comparison *comparison,
                                                                size_t i);

#ifdef __cplusplus
}
#endif

#endif
