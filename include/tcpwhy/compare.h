/* SPDX-License-Identifier: MIT */
/** @file
 * Before and after: two reports held against each other, listener by listener and cause by cause.
 * Captures differ in how much they hold, so times are compared a request, or a connection where
 * there are none, or a megabyte when much is carried without any.
 */
#ifndef TCPWHY_COMPARE_H
#define TCPWHY_COMPARE_H

#include <tcpwhy/report.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Two reports compared; opaque. */
typedef struct tcpwhy_comparison tcpwhy_comparison;

/** Index of arrays of two. */
enum tcpwhy_when { TCPWHY_BEFORE = 0, TCPWHY_AFTER = 1 };

/** What became of something; names by tcpwhy_change_name(). */
enum tcpwhy_change {
    TCPWHY_CHANGE_NONE = 0, /**< no difference that a person would act on. */
    TCPWHY_CHANGE_BETTER = 1,
    TCPWHY_CHANGE_GONE = 2, /**< better: nothing worth a word is left of it. */
    TCPWHY_CHANGE_WORSE = 3,
    TCPWHY_CHANGE_NEW = 4,     /**< worse: there was nothing worth a word. */
    TCPWHY_CHANGE_OTHER = 5,   /**< different, and nobody's gain or loss: idle time, the wire. */
    TCPWHY_CHANGE_UNKNOWN = 6, /**< one of the two has nothing to compare. */
};

/** How many there are: they are numbered from 0 to one less. Threads: any. */
TCPWHY_API size_t tcpwhy_change_count(void);

/** "none", "better", "gone", "worse", "new", "different" or "unknown". Static storage. */
TCPWHY_API const char *tcpwhy_change_name(enum tcpwhy_change change);

/** By what times are divided before they are compared. */
enum tcpwhy_per {
    TCPWHY_PER_EXCHANGE = 0,   /**< a request that was answered. */
    TCPWHY_PER_CONNECTION = 1, /**< there were no requests in one of the two. */
    TCPWHY_PER_MEGABYTE = 2,   /**< likewise, and much was carried in both: 1,000,000 bytes. */
};

/** "exchange", "connection" or "megabyte". Static storage. */
TCPWHY_API const char *tcpwhy_per_name(enum tcpwhy_per per);

/** A cause with one party, before and after. */
struct tcpwhy_cause_change {
    enum tcpwhy_cause cause;              /**< what was waited for. */
    enum tcpwhy_party party;              /**< the side that can fix it. */
    enum tcpwhy_confidence confidence[2]; /**< as sure as most of its time is. */
    tcpwhy_ns ns[2];                      /**< how long in all. */
    uint64_t count[2];                    /**< how many separate intervals. */
    tcpwhy_ns per_exchange_ns[2];         /**< unknown where there was no exchange. */
    tcpwhy_ns per_connection_ns[2];       /**< likewise of connections. */
    tcpwhy_ns per_megabyte_ns[2];         /**< of payload; unknown where there was none. */
    double share[2];    /**< of the time that somebody waited or could have, 0 to 1; of idle time
                             and the like, 0. */
    enum tcpwhy_per by; /**< what change was judged by; the opening of connections always by
                             connections. */
    enum tcpwhy_change change; /**< what became of it. */
};

/** A listener of one capture beside its like in the other; or both captures as a whole. */
struct tcpwhy_listener_change {
    struct tcpwhy_endpoint endpoint[2];          /**< version 0: the whole capture, or not there. */
    uint64_t connections[2];                     /**< how many were tried ... */
    uint64_t unanswered[2];                      /**< ... of these, not answered ... */
    uint64_t refused[2];                         /**< ... and refused. */
    const struct tcpwhy_percentiles *latency[2]; /**< of exchanges. */
    struct tcpwhy_status_classes status[2];      /**< of answers. */
    uint64_t payload_bytes[2];                   /**< both ways, counted once. */
    tcpwhy_ns life_ns[2];                        /**< all connections' lives added up ... */
    tcpwhy_ns waited_ns[2];    /**< ... without idle time, keep-alives and closing ... */
    tcpwhy_ns lost_ns[2];      /**< ... and only what is somebody's fault. */
    enum tcpwhy_per per;       /**< what the listener was judged by. */
    enum tcpwhy_change change; /**< what became of it. */
    const struct tcpwhy_cause_change *const *causes; /**< what changed most first. */
    size_t n_causes;                                 /**< how many. */
};

/** What the verdict is about. */
enum tcpwhy_measure {
    TCPWHY_MEASURE_NONE = 0, /**< there is nothing to measure: one has no connection. */
    TCPWHY_MEASURE_P50 = 1,  /**< latency of requests, nanoseconds. */
    TCPWHY_MEASURE_P90 = 2,
    TCPWHY_MEASURE_P99 = 3,
    TCPWHY_MEASURE_ANSWERED = 4, /**< requests answered; none in one of the two. */
    TCPWHY_MEASURE_OPENING =
        5,                   /**< nanoseconds that opening a connection took, failures included. */
    TCPWHY_MEASURE_RATE = 6, /**< bits of payload a second while somebody waited. */
    TCPWHY_MEASURE_LOST = 7, /**< nanoseconds that a connection lost. */
    TCPWHY_MEASURE_FAILED = 8, /**< answers 5xx and requests without an answer, of a million. */
};

/** "none", "p50", "p90", "p99", "answered", "opening", "rate", "lost" or "failed". Static storage.
 */
TCPWHY_API const char *tcpwhy_measure_name(enum tcpwhy_measure measure);

/** What got better or worse, most of all. */
struct tcpwhy_comparison_verdict {
    enum tcpwhy_change change;   /**< none, better, worse or unknown. */
    bool same_capture;           /**< the two are one capture: nothing can differ. */
    enum tcpwhy_measure measure; /**< what the verdict is about. */
    int64_t value[2];            /**< of the measure, in its unit. */
    const struct tcpwhy_listener_change *listener; /**< whose; NULL: of the captures as wholes. */
    const struct tcpwhy_cause_change *causes[2];   /**< what did it, most first; or NULL. */
    const struct tcpwhy_cause_change *opening; /**< what else did so while connections were opened,
                                                    outside requests; or NULL. */
    const struct tcpwhy_cause_change *but;     /**< what changed most the other way; or NULL. */
    size_t better;                             /**< how many listeners got so. */
    size_t worse;                              /**< likewise. */
};

/** Why the two may not be comparable. */
struct tcpwhy_unfair {
    const char *fact;   /**< stable word: "other_listeners", "lengths", "few_exchanges",
                             "vantage", "path", "sizes", "errors", "load", "quality". */
    const char *detail; /**< of "quality": the fact's word in tcpwhy_quality; else "". */
    const char *text;   /**< of "quality": its sentence; else "". */
    double value[2];    /**< before and after, in the fact's unit: listeners that the other lacks,
                             nanoseconds, exchanges, enum tcpwhy_vantage, nanoseconds of round
                             trip, bytes an exchange, share of errors, connections at once, count. */
};

/**
 * Compare two reports. Listeners are matched by endpoint, then by port, and the last one of each by
 * being the only one left.
 *
 * @param before, after  borrowed: both must live longer than the comparison.
 * @param out            set to a comparison that the caller owns and releases with
 *                       tcpwhy_comparison_free().
 * @return 0, or TCPWHY_ERR_USAGE when one of the three is NULL.
 *
 * Threads: safe to call at once from several threads, with the same reports, too.
 */
TCPWHY_API int tcpwhy_compare(const tcpwhy_report *before, const tcpwhy_report *after,
                              tcpwhy_comparison **out);

/** Release a comparison, not the reports. NULL does nothing. */
TCPWHY_API void tcpwhy_comparison_free(tcpwhy_comparison *comparison);

/** The report that was compared. */
TCPWHY_API const tcpwhy_report *tcpwhy_comparison_report(const tcpwhy_comparison *comparison,
                                                         enum tcpwhy_when when);

/** What got better or worse, most of all. Views live as long as the comparison. */
TCPWHY_API const struct tcpwhy_comparison_verdict *
tcpwhy_comparison_verdict(const tcpwhy_comparison *comparison);

/** Both captures as wholes. */
TCPWHY_API const struct tcpwhy_listener_change *
tcpwhy_comparison_whole(const tcpwhy_comparison *comparison);

/** How many listeners there are. Threads: any. */
TCPWHY_API size_t tcpwhy_comparison_listener_count(const tcpwhy_comparison *comparison);

/**
 * Listeners, those that are in both first, what changed most first among them. @return the one at
 * index i, or NULL beyond the last. Threads: any.
 */
TCPWHY_API const struct tcpwhy_listener_change *
tcpwhy_comparison_listener(const tcpwhy_comparison *comparison, size_t i);

/** How many reasons there are why the two may not be comparable; mostly none. Threads: any. */
TCPWHY_API size_t tcpwhy_comparison_unfair_count(const tcpwhy_comparison *comparison);

/** Why the two may not be comparable. @return the one at index i, or NULL beyond the last. Threads:
 * any. */
TCPWHY_API const struct tcpwhy_unfair *tcpwhy_comparison_unfair(const tcpwhy_comparison *comparison,
                                                                size_t i);

#ifdef __cplusplus
}
#endif

#endif
