/* SPDX-License-Identifier: MIT */
/** @file
 * The report: read-only views of what an analysis found. Every pointer in a view lives as long as
 * the report, texts are UTF-8 and NUL terminated, and names that came off the wire (paths, host
 * names, comments) are hostile: renderers escape them, and so must you.
 *
 * Threads: a finished report may be read from several threads at once.
 */
#ifndef TCPWHY_REPORT_H
#define TCPWHY_REPORT_H

#include <tcpwhy/facts.h>
#include <tcpwhy/failures.h>
#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an analysis found; opaque, owned by the caller of the function that gave it. */
typedef struct tcpwhy_report tcpwhy_report;

/** Release a report and everything that its views point to. NULL does nothing. */
TCPWHY_API void tcpwhy_report_free(tcpwhy_report *report);

/** Something to know of the capture itself before believing any verdict. */
struct tcpwhy_quality {
    const char *fact;       /**< stable word: "frames_missing", "cut_short", "one_direction" ... */
    const char *text;       /**< a sentence for people. */
    uint64_t count;         /**< how often. */
    const uint32_t *frames; /**< some frames that show it. */
    size_t n_frames;        /**< how many of them. */
};

/** A file of a capture that was rotated; see tcpwhy_analyze_files(). */
struct tcpwhy_part {
    const char *file;     /**< as given. */
    const char *error;    /**< NULL: it was read; else why not, or not to its end. */
    uint32_t first_frame; /**< its first frame's number in the whole; 0: nothing was read. */
    uint32_t frames;      /**< how many it holds. */
};

/** The capture as it was read. */
struct tcpwhy_capture {
    const char *file;    /**< as given; "-" for standard input, "" for pushed packets. */
    const char *comment; /**< section comments of pcapng, "" when none. */
    uint64_t frames;     /**< all frames read. */
    uint64_t tcp_frames; /**< those that were dissected as TCP. */
    uint64_t bytes;      /**< length of all frames on the wire. */
    int64_t first_ns;    /**< of the first frame that has a time, since the epoch, UTC; unknown when
                              none has. */
    int64_t last_ns;     /**< of the latest frame, likewise. */
    const struct tcpwhy_quality *const *quality; /**< what to know before believing a verdict. */
    size_t n_quality;                            /**< how many. */
    const struct tcpwhy_part *const *parts; /**< the files that were read as one, in order; of a
                                          single file NULL. */
    size_t n_parts;                         /**< how many. */
    uint64_t streams; /**< connections, selected ones; more than there are rows of streams when
                           options or memory kept these few. */
};

/** The verdict on a stream or a capture; cause NONE means healthy. */
struct tcpwhy_verdict {
    enum tcpwhy_cause cause;           /**< the costliest material cause, or NONE. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< how sure. */
    enum tcpwhy_cause rival;           /**< NONE when certain. */
    struct tcpwhy_endpoint endpoint;   /**< the side that can fix it. */
    tcpwhy_ns cost_ns;                 /**< what it cost; over all streams for a capture's. */
    double share;                      /**< of the time somebody waited or could have, 0 to 1. */
    uint32_t streams;                  /**< how many connections it was charged to. */
    enum tcpwhy_failure_kind failure;  /**< what broke; it outranks lost time. NONE: nothing. Of a
                                            capture the most frequent one. */
    uint64_t failures;                 /**< how many connections failed in one way or another. */
};

/** Milliseconds of one stream charged to one cause. Entries of a stream add up to its life. */
struct tcpwhy_ledger_entry {
    enum tcpwhy_cause cause;           /**< what was waited for. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_side from;             /**< the sender whose data waited. */
    enum tcpwhy_confidence confidence; /**< how sure; the least of its intervals. */
    enum tcpwhy_cause rival;           /**< what else it may be; NONE when certain. */
    tcpwhy_ns ns;                      /**< how long in all. */
    uint32_t count;                    /**< how many separate intervals. */
    tcpwhy_ns first_ns;                /**< when the first of them began. */
};

/** One interval of a stream's life and its cause; spans follow each other without a hole. */
struct tcpwhy_span {
    tcpwhy_ns from_ns;                 /**< when it began, since the first frame of the capture. */
    tcpwhy_ns to_ns;                   /**< when it ended. */
    enum tcpwhy_cause cause;           /**< what was waited for. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_side from;             /**< the sender whose data waited. */
    enum tcpwhy_confidence confidence; /**< how sure. */
    enum tcpwhy_cause rival;           /**< what else it may be; NONE when certain. */
    uint32_t first_frame;              /**< at its beginning. */
    uint32_t last_frame;               /**< at its end. */
};

/** One cause that a gap may have had, weighed. */
struct tcpwhy_hypothesis {
    enum tcpwhy_cause cause; /**< what the sender would have waited for. */
    const char *refuted;     /**< why it is not that, in a few words; NULL: it may be, and only then
                                  what follows is set. */
    enum tcpwhy_party party; /**< who holds the knob. */
    enum tcpwhy_side from;   /**< the sender whose data waited. */
    tcpwhy_ns from_ns;       /**< the part of the gap that it explains begins ... */
    tcpwhy_ns to_ns;         /**< ... and ends; the rest is propagation. */
    uint32_t frame;          /**< the frame that let the segment go (an ACK); 0: none. */
    tcpwhy_ns frame_ns;      /**< when that passed the capture; or unknown. */
    double odds; /**< logarithm to the base of ten; differences between hypotheses of one
                      gap count. */
    bool shown;  /**< the frames show it; else it is no verdict, and may be a rival. */
};

/** A gap before a segment, every cause that it may have had, and the verdict. */
struct tcpwhy_weighing {
    tcpwhy_ns from_ns;    /**< when the gap began, at the capture. */
    tcpwhy_ns to_ns;      /**< when it ended there. */
    tcpwhy_ns sent_ns;    /**< when the segment left its sender, as inferred; or unknown. */
    uint32_t first_frame; /**< at its beginning. */
    uint32_t last_frame;  /**< at its end. */
    uint32_t burst_frame; /**< the last frame of the burst that the gap held up. */
    uint32_t ack_frame;   /**< the newest ACK of data, or of more window, that its sender had; 0: it
                               is not known. */
    tcpwhy_ns since_ack_ns;            /**< from there until the segment left; or unknown. */
    enum tcpwhy_side sender;           /**< who was waited for. */
    enum tcpwhy_cause cause;           /**< the verdict, as spans have it. */
    enum tcpwhy_party party;           /**< who holds the knob. */
    enum tcpwhy_confidence confidence; /**< how sure. */
    enum tcpwhy_cause rival;           /**< what else it may be; NONE when certain. */
    const struct tcpwhy_hypothesis *const *hypotheses; /**< best odds first, then refuted ones. */
    size_t n_hypotheses;                               /**< how many. */
};

/** Of so many gaps of a stream the weighing is kept, at most. */
#define TCPWHY_WEIGHINGS 5

/** A number or a text that belongs to a finding; the unit is in the name. */
struct tcpwhy_detail {
    const char *name; /**< "ceiling_bytes", "rtt_us", "rate_bps", "stack" ... */
    const char *text; /**< NULL when it is a number. */
    double number;    /**< its value, when text is NULL. */
};

/** As many frames as prove a wait, at most. */
#define TCPWHY_WAIT_FRAMES 3

/** One instance of a finding. */
struct tcpwhy_wait {
    uint32_t stream;                     /**< the stream that waited. */
    tcpwhy_ns ns;                        /**< how long it was. */
    uint32_t frames[TCPWHY_WAIT_FRAMES]; /**< it lies between the first and the last of them; one
                                              between them is what decided it (an ACK, a probe). */
    uint32_t n_frames;                   /**< how many. */
};

/** One cause at one endpoint: what it cost over all streams, and the frames that prove it. */
struct tcpwhy_finding {
    enum tcpwhy_cause cause;                    /**< what was waited for. */
    enum tcpwhy_party party;                    /**< the side that can fix it. */
    enum tcpwhy_confidence confidence;          /**< how sure. */
    enum tcpwhy_cause rival;                    /**< what else it may be; NONE when certain. */
    struct tcpwhy_endpoint endpoint;            /**< the side that can fix it, by address. */
    struct tcpwhy_endpoint peer;                /**< the other side. */
    uint32_t stream;                            /**< the stream that it cost most. */
    uint32_t streams;                           /**< in how many. */
    tcpwhy_ns cost_ns;                          /**< over all of them. */
    uint64_t count;                             /**< instances. */
    tcpwhy_ns median_ns;                        /**< of one instance. */
    const uint32_t *frames;                     /**< of that stream's clearest instance. */
    size_t n_frames;                            /**< how many. */
    const struct tcpwhy_detail *const *details; /**< its numbers by name. */
    size_t n_details;                           /**< how many. */
    const char *summary;                        /**< one sentence with the numbers. */
    const char *remedy;                         /**< what to change. */
    const struct tcpwhy_wait *const *waits; /**< the longest, longest first; NULL unless the options
                                          asked to keep them. */
    size_t n_waits;                         /**< how many. */
};

/**
 * Latencies in nanoseconds; unknown when there are none. Nearest-rank percentiles: exact up to
 * 16,384 values, beyond that within 0.4 % (least and largest stay exact).
 */
struct tcpwhy_percentiles {
    uint64_t count;     /**< how many exchanges. */
    tcpwhy_ns min_ns;   /**< the fastest. */
    tcpwhy_ns p50_ns;   /**< half were as fast. */
    tcpwhy_ns p75_ns;   /**< three quarters. */
    tcpwhy_ns p90_ns;   /**< nine in ten. */
    tcpwhy_ns p99_ns;   /**< 99 in a hundred. */
    tcpwhy_ns max_ns;   /**< the slowest. */
    tcpwhy_ns first_ns; /**< when the first of their requests left; unknown when there are none. */
    tcpwhy_ns last_ns;  /**< when the last of their answers was complete. */
};

/** How many responses had a status of each class; index 1 is 1xx ... 5 is 5xx, 0 other. Never
 * changes. */
struct tcpwhy_status_classes {
    uint64_t n[6]; /**< responses by the first digit of their status. */
};

/** A request with its response. Times are shifted to the client by the vantage's half round trip.
 */
struct tcpwhy_exchange {
    const char *protocol;   /**< "http", "http2", "grpc", "tls", "mysql", "pgsql", "redis",
                                 "memcached", "mongodb", "kafka", "amqp", "mqtt", "tds", "tns", or
                                 "turn" for plain turn-taking. */
    const char *request;    /**< "GET /index.html", or "" when the protocol has no name for it. */
    uint16_t status;        /**< 0 when the protocol has none. */
    bool complete;          /**< the response ended inside the capture. */
    uint32_t request_frame; /**< the request's first frame; 0: none, here and below. */
    uint32_t request_last_frame;  /**< its last. */
    uint32_t response_frame;      /**< the response's first. */
    uint32_t response_last_frame; /**< its last. */
    tcpwhy_ns start_ns;           /**< first byte of the request leaves. */
    tcpwhy_ns first_byte_ns;      /**< from there to the first byte of the response. */
    tcpwhy_ns total_ns;           /**< from there to its last byte. */
    uint64_t request_bytes;       /**< on the stream, likewise below. */
    uint64_t response_bytes;      /**< of the response. */
    const char *detail;           /**< what the protocol says of it besides, as how it failed:
                                       "RST_STREAM CANCEL", "grpc-status 14"; or "". */
    uint32_t http2_stream;        /**< HTTP/2's identifier of the stream; 0: none. */
    uint32_t request_messages;    /**< gRPC: messages that the client sent. */
    uint32_t response_messages;   /**< gRPC: messages that the server sent; PostgreSQL: rows. */
    tcpwhy_ns window_wait_ns;     /**< HTTP/2: how long the response waited for the stream's
                                       flow-control window. */
    bool of_session; /**< a flight of a TLS handshake, or the end of the session: nobody's request,
                          and in no percentile. */
    tcpwhy_ns request_ns; /**< from start_ns to the last byte of the request; unknown likewise. */
};

/** Retransmissions of data by what caused them; SYNs are not among them. */
struct tcpwhy_repairs {
    uint32_t fast;           /**< duplicate ACKs or SACK told (RFC 5681, RFC 6675, RFC 8985). */
    uint32_t probes;         /**< tail loss probes (RFC 8985, section 7). */
    uint32_t timeouts;       /**< the retransmission timer fired (RFC 6298). */
    uint32_t after_timeouts; /**< the rest of what was out then, as ACKs came in. */
    uint32_t spurious;       /**< of all of them, those of data that had arrived. */
};

/** One connection. */
struct tcpwhy_stream {
    uint32_t stream;               /**< tshark's tcp.stream. */
    struct tcpwhy_endpoint client; /**< who opened it. */
    struct tcpwhy_endpoint server; /**< the other end. */
    bool roles_inferred;           /**< no SYN was seen: client and server are a guess. */
    bool complete_start;           /**< the handshake was seen. */
    bool complete_end;             /**< FIN or RST was seen. */
    enum tcpwhy_vantage vantage;   /**< where the capture was taken, as inferred from checksums that
                                        a card has yet to fill in, from the ways to both sides, or
                                        else from the first frames' TTL and too large frames. */
    enum tcpwhy_confidence vantage_confidence;       /**< how sure that is. */
    tcpwhy_ns start_ns;                              /**< its first frame, since the capture's. */
    tcpwhy_ns duration_ns;                           /**< from there to its last. */
    uint32_t first_frame;                            /**< at its beginning. */
    uint32_t last_frame;                             /**< at its end. */
    uint64_t frames;                                 /**< how many. */
    uint64_t bytes_to_server;                        /**< distinct payload bytes. */
    uint64_t bytes_to_client;                        /**< likewise. */
    uint64_t retransmissions;                        /**< frames, SYNs among them. */
    const struct tcpwhy_repairs *repairs;            /**< of data, by what caused them. */
    tcpwhy_ns rtt_min_ns;                            /**< client to server and back; or unknown. */
    tcpwhy_ns rtt_median_ns;                         /**< likewise. */
    tcpwhy_ns rtt_max_ns;                            /**< likewise. */
    const struct tcpwhy_verdict *verdict;            /**< what made somebody wait most. */
    const struct tcpwhy_ledger_entry *const *ledger; /**< costliest first. */
    size_t n_ledger;                                 /**< how many entries. */
    const struct tcpwhy_percentiles *latency;        /**< of its exchanges. */
    struct tcpwhy_status_classes status;             /**< of the answers. */
    const struct tcpwhy_exchange *const
        *exchanges;                         /**< NULL unless the options asked to keep them. */
    size_t n_exchanges;                     /**< how many are kept. */
    const struct tcpwhy_span *const *spans; /**< NULL unless the options asked to keep them. */
    size_t n_spans;                         /**< how many are kept. */
    tcpwhy_ns way_ns[2]; /**< one way from the vantage to client and to server, as inferred. */
    const struct tcpwhy_weighing *const
        *weighings;     /**< costliest first; NULL unless the options asked to keep them. */
    size_t n_weighings; /**< how many are kept. */
    const struct tcpwhy_fact *const *facts; /**< what the path did to it: ICMP errors that quote it,
                                                 segments that were changed; NULL without any. */
    size_t n_facts;                         /**< how many. */
    int64_t isn[2]; /**< initial sequence number of client and server; -1: its SYN was not seen. */
    const char *server_name; /**< as the client first called the server (SNI of TLS, Host of HTTP,
                                  :authority of HTTP/2), of letters that host names have; else what
                                  a DNS answer called it. NULL: none, or options.numeric; of
                                  callbacks without DNS. It came off the wire. */
};

/** What one server endpoint saw over all of its connections. */
struct tcpwhy_listener {
    struct tcpwhy_endpoint endpoint;          /**< its address and port. */
    uint64_t connections;                     /**< how many were tried. */
    uint64_t unanswered;                      /**< connections whose SYN nobody answered. */
    uint64_t refused;                         /**< connections that were refused, by RST or ICMP. */
    uint64_t resets;                          /**< how many ended with RST. */
    const struct tcpwhy_percentiles *latency; /**< of its exchanges. */
    struct tcpwhy_status_classes status;      /**< of its answers. */
    const struct tcpwhy_ledger_entry *const
        *ledger;                            /**< of all its connections, costliest first. */
    size_t n_ledger;                        /**< how many entries. */
    const struct tcpwhy_openings *openings; /**< how connections were opened. */
    const struct tcpwhy_traffic *traffic;   /**< empty for listeners beyond the first thousand. */
    const char *server_name;                /**< as tcpwhy_report_name() gives it. */
};

/** The capture as a whole. Threads: any. */
TCPWHY_API const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report);

/** The worst cause of the whole capture. Threads: any. */
TCPWHY_API const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report);

/** How many findings there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_finding_count(const tcpwhy_report *report);

/** Findings, costliest first; those whose endpoint itself waited for another finding's come last.
 * @return the one at index i, or NULL beyond the last, or when memory runs out, as of the other
 * rows. Threads: any. */
TCPWHY_API const struct tcpwhy_finding *tcpwhy_report_finding(const tcpwhy_report *report,
                                                              size_t i);

/** How many failures there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_failure_count(const tcpwhy_report *report);

/** What broke: the most frequent sort first, connections that were not opened last. @return the one
 * at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_failure *tcpwhy_report_failure(const tcpwhy_report *report,
                                                              size_t i);

/** How many rows of streams there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_stream_count(const tcpwhy_report *report);

/** Streams in tshark's order; only those that the options selected. @return the one at index i, or
 * NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_stream *tcpwhy_report_stream(const tcpwhy_report *report, size_t i);

/**
 * A connection. The view and all that it points to are valid during the call. As an option of an
 * analysis: it is finished and explained; connections come in the order in which they finish, those
 * that are open when the analysis ends come then. Return false to stop the analysis, or the visit.
 */
typedef bool (*tcpwhy_stream_fn)(void *user, const struct tcpwhy_stream *stream);

/**
 * Hand over the same streams one after the other. Of many that takes less memory: they are packed,
 * a third as large, until tcpwhy_report_stream() is asked for one of them. visit may read the
 * report and not release it. Threads: any.
 *
 * @return 0, also when visit ended it by false, or TCPWHY_ERR_USAGE when report or visit is NULL.
 */
TCPWHY_API int tcpwhy_report_visit_streams(const tcpwhy_report *report, tcpwhy_stream_fn visit,
                                           void *user);

/** How many listeners there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_listener_count(const tcpwhy_report *report);

/** Server endpoints, those that lost most first. @return the one at index i, or NULL beyond the
 * last. Threads: any. */
TCPWHY_API const struct tcpwhy_listener *tcpwhy_report_listener(const tcpwhy_report *report,
                                                                size_t i);

/** How many entries of the ledger there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_ledger_entry_count(const tcpwhy_report *report);

/** The ledgers of all selected streams together, costliest first. @return the one at index i, or
 * NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_ledger_entry *tcpwhy_report_ledger_entry(const tcpwhy_report *report,
                                                                        size_t i);

/** Latencies of the exchanges of all selected streams. Threads: any. */
TCPWHY_API const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report);

/** Status classes of the answers of all selected streams. Threads: any. */
TCPWHY_API const struct tcpwhy_status_classes *tcpwhy_report_status(const tcpwhy_report *report);

/**
 * Traffic over time: frames and bytes of all frames that were read, the rest of the selected
 * streams. Threads: any.
 */
TCPWHY_API const struct tcpwhy_traffic *tcpwhy_report_traffic(const tcpwhy_report *report);

/** How many pairs of client host and listener there are. Threads: any. */
TCPWHY_API size_t tcpwhy_report_ports_count(const tcpwhy_report *report);

/** Client hosts and listeners, those with the most ports in use first; at most 32. @return the one
 * at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_ports *tcpwhy_report_ports(const tcpwhy_report *report, size_t i);

/** How many facts there are; mostly none. Threads: any. */
TCPWHY_API size_t tcpwhy_report_fact_count(const tcpwhy_report *report);

/** What a reader should know beside the findings, most important first. @return the one at index i,
 * or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_fact *tcpwhy_report_fact(const tcpwhy_report *report, size_t i);

/** How many connections waited for a name or a next hop before their SYN. Threads: any. */
TCPWHY_API size_t tcpwhy_report_before_syn_count(const tcpwhy_report *report);

/** Waits before a SYN, in the order of the SYNs. @return the one at index i, or NULL beyond the
 * last. Threads: any. */
TCPWHY_API const struct tcpwhy_before_syn *tcpwhy_report_before_syn(const tcpwhy_report *report,
                                                                    size_t i);

/** The name for which a DNS answer in the capture gave that address, whatever the port: the newest.
 * @return NULL: none. It came off the wire. Threads: any. */
TCPWHY_API const char *tcpwhy_report_dns_name(const tcpwhy_report *report,
                                              const struct tcpwhy_endpoint *address);

/** The name beside an address: that by which all clients of the listener there call it, else that
 * which DNS gave. @return NULL: none, or options.numeric. It came off the wire. Threads: any. */
TCPWHY_API const char *tcpwhy_report_name(const tcpwhy_report *report,
                                          const struct tcpwhy_endpoint *endpoint);

#ifdef __cplusplus
}
#endif

#endif
