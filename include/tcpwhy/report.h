/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The report: read-only views of what an analysis found. Every pointer in a view lives as long as
 * the report. Texts are UTF-8 and NUL terminated. Names that came off the wire (paths, host names,
 * comments) are hostile: renderers escape them, and so must you.
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

/** The result of an analysis; opaque. The caller of the function that returned it owns it. */
typedef struct tcpwhy_report tcpwhy_report;

/** Release a report and everything that its views point to. NULL does nothing. */
TCPWHY_API void tcpwhy_report_free(tcpwhy_report *report);

/** A fact about the capture itself to know before believing any verdict. */
struct tcpwhy_quality {
    const char *fact;       /**< stable word: "frames_missing", "cut_short", "one_direction" ... */
    const char *text;       /**< a sentence for people. */
    uint64_t count;         /**< number of occurrences. */
    const uint32_t *frames; /**< some frames that show it. */
    size_t n_frames;        /**< number of these frames. */
};

/** One file of a rotated capture; see tcpwhy_analyze_files(). */
struct tcpwhy_part {
    const char *file;  /**< path as given. */
    const char *error; /**< why it was not read, or not to its end; NULL: it was. */
    uint32_t
        first_frame; /**< number of its first frame in the whole capture; 0: nothing was read. */
    uint32_t frames; /**< number of its frames. */
};

/** The capture as it was read. */
struct tcpwhy_capture {
    const char *file;    /**< path as given; "-" for standard input, "" for pushed packets. */
    const char *comment; /**< section comments of pcapng; "" for none. */
    uint64_t frames;     /**< frames read. */
    uint64_t tcp_frames; /**< frames dissected as TCP. */
    uint64_t bytes;      /**< length of all frames on the wire. */
    int64_t first_ns;    /**< time of the first frame that has one, since the epoch, UTC; unknown if
                            none has. */
    int64_t
        last_ns; /**< time of the latest frame, since the epoch, UTC; unknown if none has one. */
    const struct tcpwhy_quality *const *quality; /**< facts to know before believing a verdict. */
    size_t n_quality;                            /**< number of these facts. */
    const struct tcpwhy_part *const
        *parts;       /**< the files that were read as one, in order; NULL for a single file. */
    size_t n_parts;   /**< number of these files. */
    uint64_t streams; /**< number of selected connections; more than there are rows of streams if
                         the options or a memory limit kept fewer. */
};

/** The verdict on a stream or a capture; cause NONE: healthy. */
struct tcpwhy_verdict {
    enum tcpwhy_cause cause;           /**< the costliest cause that matters, or NONE. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    struct tcpwhy_endpoint endpoint;   /**< endpoint of the side that can fix it. */
    tcpwhy_ns cost_ns;                 /**< time that it cost; over all streams for a capture. */
    double share;     /**< share of the time in which somebody waited, or could have, 0 to 1. */
    uint32_t streams; /**< number of connections that it was charged to. */
    enum tcpwhy_failure_kind failure; /**< what failed, which outranks lost time; the most frequent
                                         kind for a capture. NONE: nothing. */
    uint64_t failures;                /**< number of connections that failed in any way. */
};

/** Time of one stream charged to one cause. The entries of a stream add up to its life. */
struct tcpwhy_ledger_entry {
    enum tcpwhy_cause cause;           /**< the cause. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_side from;             /**< the sender whose data waited. */
    enum tcpwhy_confidence confidence; /**< the lowest confidence of its intervals. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    tcpwhy_ns ns;                      /**< total time. */
    uint32_t count;                    /**< number of separate intervals. */
    tcpwhy_ns first_ns;                /**< start of the first interval. */
};

/** One interval of a stream's life and its cause. Spans follow each other without a gap. */
struct tcpwhy_span {
    tcpwhy_ns from_ns;                 /**< start, since the capture's first frame. */
    tcpwhy_ns to_ns;                   /**< end, since the capture's first frame. */
    enum tcpwhy_cause cause;           /**< the cause. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_side from;             /**< the sender whose data waited. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    uint32_t first_frame;              /**< the frame at its start. */
    uint32_t last_frame;               /**< the frame at its end. */
};

/** One possible cause of a gap, weighed. */
struct tcpwhy_hypothesis {
    enum tcpwhy_cause cause; /**< the cause. */
    const char *refuted; /**< why it is refuted, in a few words; NULL: it is not, and only then the
                            other members are set. */
    enum tcpwhy_party party; /**< the side that can fix it. */
    enum tcpwhy_side from;   /**< the sender whose data waited. */
    tcpwhy_ns from_ns;       /**< start of the part of the gap that it explains. */
    tcpwhy_ns to_ns;         /**< end of that part; the rest is propagation. */
    uint32_t frame;          /**< the frame that let the segment go (an ACK); 0: none. */
    tcpwhy_ns frame_ns;      /**< when that frame passed the capture; or unknown. */
    double odds; /**< logarithm of the odds to the base 10; only differences between hypotheses of
                    one gap mean anything. */
    bool shown;  /**< the frames show it; otherwise it can be a rival but not the verdict. */
};

/** A gap before a segment, every cause that it may have, and the verdict. */
struct tcpwhy_weighing {
    tcpwhy_ns from_ns;    /**< start of the gap, at the capture. */
    tcpwhy_ns to_ns;      /**< end of the gap, at the capture. */
    tcpwhy_ns sent_ns;    /**< when the segment left its sender, as inferred; or unknown. */
    uint32_t first_frame; /**< the frame at its start. */
    uint32_t last_frame;  /**< the frame at its end. */
    uint32_t burst_frame; /**< the last frame of the burst that the gap held up. */
    uint32_t ack_frame; /**< the newest ACK of data or of more window that the sender had received;
                           0: unknown. */
    tcpwhy_ns since_ack_ns;  /**< time from that ACK until the segment left; or unknown. */
    enum tcpwhy_side sender; /**< the side that was waited for. */
    enum tcpwhy_cause cause; /**< the verdict, as in the spans. */
    enum tcpwhy_party party; /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    const struct tcpwhy_hypothesis *const *hypotheses; /**< best odds first, then those refuted. */
    size_t n_hypotheses;                               /**< number of hypotheses. */
};

/** Most gaps of a stream whose weighing is kept. */
#define TCPWHY_WEIGHINGS 5

/** A number or a text that belongs to a finding. Its name contains the unit. */
struct tcpwhy_detail {
    const char *name; /**< "ceiling_bytes", "rtt_us", "rate_bps", "stack" ... */
    const char *text; /**< the text; NULL for a number. */
    double number;    /**< the number, if text is NULL. */
};

/** Most frames that prove one instance of a finding. */
#define TCPWHY_WAIT_FRAMES 3

/** One instance of a finding. */
struct tcpwhy_wait {
    uint32_t stream; /**< its stream. */
    tcpwhy_ns ns;    /**< its duration. */
    uint32_t
        frames[TCPWHY_WAIT_FRAMES]; /**< frames around it: it lies between the first and the last;
                                       one in between is the ACK or probe that decides it. */
    uint32_t n_frames;              /**< number of these frames. */
};

/** One cause at one endpoint: its cost over all streams, and the frames that prove it. */
struct tcpwhy_finding {
    enum tcpwhy_cause cause;           /**< the cause. */
    enum tcpwhy_party party;           /**< the side that can fix it. */
    enum tcpwhy_confidence confidence; /**< confidence. */
    enum tcpwhy_cause rival;           /**< the next most likely cause; NONE when certain. */
    struct tcpwhy_endpoint endpoint;   /**< endpoint of the side that can fix it. */
    struct tcpwhy_endpoint peer;       /**< the other side. */
    uint32_t stream;                   /**< the stream that it cost most. */
    uint32_t streams;                  /**< number of streams that it affected. */
    tcpwhy_ns cost_ns;                 /**< cost over all of these. */
    uint64_t count;                    /**< number of instances. */
    tcpwhy_ns median_ns;               /**< median duration of an instance. */
    const uint32_t *frames;            /**< frames of that stream's clearest instance. */
    size_t n_frames;                   /**< number of these frames. */
    const struct tcpwhy_detail *const *details; /**< its numbers, by name. */
    size_t n_details;                           /**< number of details. */
    const char *summary;                        /**< one sentence with the numbers. */
    const char *remedy;                         /**< what to change. */
    const struct tcpwhy_wait *const *waits; /**< its longest instances, longest first; NULL unless
                                               the options asked to keep them. */
    size_t n_waits;                         /**< number of these instances. */
};

/**
 * Response times in nanoseconds; unknown without any. Nearest-rank percentiles: exact up to 16,384
 * values, within 0.4 % beyond (minimum and maximum stay exact).
 */
struct tcpwhy_percentiles {
    uint64_t count;     /**< number of exchanges. */
    tcpwhy_ns min_ns;   /**< minimum. */
    tcpwhy_ns p50_ns;   /**< median. */
    tcpwhy_ns p75_ns;   /**< 75th percentile. */
    tcpwhy_ns p90_ns;   /**< 90th percentile. */
    tcpwhy_ns p99_ns;   /**< 99th percentile. */
    tcpwhy_ns max_ns;   /**< maximum. */
    tcpwhy_ns first_ns; /**< when the first of the requests left; unknown without any. */
    tcpwhy_ns last_ns;  /**< when the last of the answers was complete. */
};

/** Number of responses by status class: index 1 is 1xx ... 5 is 5xx, 0 any other. Never changes. */
struct tcpwhy_status_classes {
    uint64_t n[6]; /**< responses by the first digit of their status. */
};

/** A request and its response. Times are shifted to the client by half the RTT from the vantage. */
struct tcpwhy_exchange {
    const char *protocol;   /**< "http", "http2", "grpc", "tls", "mysql", "pgsql", "redis",
                                 "memcached", "mongodb", "kafka", "modbus", "amqp", "mqtt", "tds",
                                 "tns", or "turn" for plain turn-taking. */
    const char *request;    /**< "GET /index.html"; "" if the protocol has no name for it. */
    uint16_t status;        /**< status; 0 if the protocol has none. */
    bool complete;          /**< the response ended within the capture. */
    uint32_t request_frame; /**< first frame of the request; 0 in this and the next three: none. */
    uint32_t request_last_frame;  /**< last frame of the request. */
    uint32_t response_frame;      /**< first frame of the response. */
    uint32_t response_last_frame; /**< last frame of the response. */
    tcpwhy_ns start_ns;           /**< when the first byte of the request left. */
    tcpwhy_ns first_byte_ns;      /**< time from there to the first byte of the response. */
    tcpwhy_ns total_ns;           /**< time from there to the last byte of the response. */
    uint64_t request_bytes;       /**< bytes of the request on the stream. */
    uint64_t response_bytes;      /**< bytes of the response on the stream. */
    const char *detail;           /**< what else the protocol says about it, such as how it failed:
                                     "RST_STREAM CANCEL", "grpc-status 14"; or "". */
    uint32_t http2_stream;        /**< HTTP/2 stream identifier; 0: none. */
    uint32_t request_messages;    /**< gRPC: messages from the client. */
    uint32_t response_messages;   /**< gRPC: messages from the server; PostgreSQL: rows; an event
                                     stream: events that came with its head. */
    tcpwhy_ns window_wait_ns; /**< HTTP/2: time that the response waited for its stream's window;
                                 SMB 2: that the request waited for credits. */
    bool of_session; /**< a flight of a TLS handshake, or the end of a session: not a request, and
                        in no percentile. */
    tcpwhy_ns request_ns; /**< time from start_ns to the last byte of the request; or unknown. */
};

/** Retransmissions of data by what triggered them; SYNs are not counted. */
struct tcpwhy_repairs {
    uint32_t fast;     /**< fast retransmissions: triggered by duplicate ACKs or SACK (RFC 5681, RFC
                          6675, RFC 8985). */
    uint32_t probes;   /**< tail loss probes (RFC 8985, section 7). */
    uint32_t timeouts; /**< triggered by the retransmission timer (RFC 6298). */
    uint32_t after_timeouts; /**< the rest of the flight of that time, as ACKs came in. */
    uint32_t spurious;       /**< of all of these, those of data that had arrived. */
};

/** One connection. */
struct tcpwhy_stream {
    uint32_t stream;               /**< stream number, as in tshark. */
    struct tcpwhy_endpoint client; /**< the side that opened it. */
    struct tcpwhy_endpoint server; /**< the other end. */
    bool roles_inferred;           /**< no SYN was seen: client and server are a guess. */
    bool complete_start;           /**< the handshake was seen. */
    bool complete_end;             /**< FIN or RST was seen. */
    enum tcpwhy_vantage
        vantage; /**< where the capture was taken, as inferred from checksums that a card has yet to
                    fill in, from the one-way delays to both sides, or else from the TTL of the
                    first frames and from oversized frames. */
    enum tcpwhy_confidence vantage_confidence; /**< confidence of that. */
    tcpwhy_ns start_ns;       /**< time of its first frame, since the capture's first frame. */
    tcpwhy_ns duration_ns;    /**< time from its first to its last frame. */
    uint32_t first_frame;     /**< its first frame. */
    uint32_t last_frame;      /**< its last frame. */
    uint64_t frames;          /**< number of frames. */
    uint64_t bytes_to_server; /**< distinct payload bytes to the server. */
    uint64_t bytes_to_client; /**< distinct payload bytes to the client. */
    uint64_t retransmissions; /**< retransmitted frames, SYNs included. */
    const struct tcpwhy_repairs *repairs; /**< retransmissions of data by what triggered them. */
    tcpwhy_ns rtt_min_ns;                 /**< minimum RTT between client and server; or unknown. */
    tcpwhy_ns rtt_median_ns;              /**< median RTT; or unknown. */
    tcpwhy_ns rtt_max_ns;                 /**< maximum RTT; or unknown. */
    const struct tcpwhy_verdict *verdict; /**< the cause that cost most. */
    const struct tcpwhy_ledger_entry *const *ledger; /**< its ledger, costliest entry first. */
    size_t n_ledger;                                 /**< number of entries. */
    const struct tcpwhy_percentiles *latency;        /**< response times of its exchanges. */
    struct tcpwhy_status_classes status;             /**< status classes of its answers. */
    const struct tcpwhy_exchange *const
        *exchanges;     /**< its exchanges; NULL unless the options asked to keep them. */
    size_t n_exchanges; /**< number of exchanges kept. */
    const struct tcpwhy_span *const
        *spans;          /**< its spans; NULL unless the options asked to keep them. */
    size_t n_spans;      /**< number of spans kept. */
    tcpwhy_ns way_ns[2]; /**< one-way delay from the vantage to the client and to the server, as
                            inferred. */
    const struct tcpwhy_weighing *const *weighings; /**< its weighed gaps, costliest first; NULL
                                                       unless the options asked to keep them. */
    size_t n_weighings;                             /**< number of weighed gaps kept. */
    const struct tcpwhy_fact *const *facts; /**< what the path did to it: ICMP errors that quote it,
                                               segments that were changed; NULL: nothing. */
    size_t n_facts;                         /**< number of facts. */
    int64_t isn[2]; /**< initial sequence numbers of client and server; -1: SYN not seen. */
    const char *server_name; /**< the name by which the client first called the server (TLS SNI,
                                HTTP Host, HTTP/2 :authority), if of letters that host names have;
                                else that of a DNS answer. NULL: none, or options.numeric; in
                                callbacks without that of DNS. It came off the wire. */
};

/** One server endpoint over all of its connections. */
struct tcpwhy_listener {
    struct tcpwhy_endpoint endpoint;          /**< address and port. */
    uint64_t connections;                     /**< connections that were tried. */
    uint64_t unanswered;                      /**< connections whose SYN was not answered. */
    uint64_t refused;                         /**< connections refused by a RST or an ICMP error. */
    uint64_t resets;                          /**< connections that ended with a RST. */
    const struct tcpwhy_percentiles *latency; /**< response times of its exchanges. */
    struct tcpwhy_status_classes status;      /**< status classes of its answers. */
    const struct tcpwhy_ledger_entry *const
        *ledger;     /**< ledger of all its connections, costliest entry first. */
    size_t n_ledger; /**< number of entries. */
    const struct tcpwhy_openings *openings; /**< how its connections were opened. */
    const struct tcpwhy_traffic
        *traffic; /**< its traffic over time; empty beyond the first thousand listeners. */
    const char *server_name; /**< its name, as tcpwhy_report_name() returns it. */
};

/** The capture as a whole. Threads: any. */
TCPWHY_API const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report);

/** The costliest cause of the whole capture. Threads: any. */
TCPWHY_API const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report);

/** Number of findings. Threads: any. */
TCPWHY_API size_t tcpwhy_report_finding_count(const tcpwhy_report *report);

/** Get a finding. The costliest come first; those whose endpoint itself waited for that of another
 * finding come last. @return the one at index i, or NULL beyond the last; for this and all other
 * rows also NULL if memory runs out. Threads: any. */
TCPWHY_API const struct tcpwhy_finding *tcpwhy_report_finding(const tcpwhy_report *report,
                                                              size_t i);

/** Number of failures. Threads: any. */
TCPWHY_API size_t tcpwhy_report_failure_count(const tcpwhy_report *report);

/** Get a failure. The most frequent kind comes first, connections that were not opened last.
 * @return the one at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_failure *tcpwhy_report_failure(const tcpwhy_report *report,
                                                              size_t i);

/** Number of rows of streams. Threads: any. */
TCPWHY_API size_t tcpwhy_report_stream_count(const tcpwhy_report *report);

/** Get a stream. Streams come in tshark's order; only those that the options selected are there.
 * @return the one at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_stream *tcpwhy_report_stream(const tcpwhy_report *report, size_t i);

/**
 * Receives a connection. The view and all that it points to are valid during the call. As an option
 * of an analysis: the connection is finished and explained; connections come in the order in which
 * they finish, and those still open come at the end of the analysis. Return false to stop the
 * analysis, or the visit.
 */
typedef bool (*tcpwhy_stream_fn)(void *user, const struct tcpwhy_stream *stream);

/**
 * Visit the streams one after the other. This takes less memory than tcpwhy_report_stream() for
 * many streams, which stay packed to a third of their size until that function is called. visit may
 * read the report, or release it. Threads: any.
 *
 * @return 0, also if visit stopped it, or TCPWHY_ERR_USAGE if report or visit is NULL.
 */
TCPWHY_API int tcpwhy_report_visit_streams(const tcpwhy_report *report, tcpwhy_stream_fn visit,
                                           void *user);

/** Number of listeners. Threads: any. */
TCPWHY_API size_t tcpwhy_report_listener_count(const tcpwhy_report *report);

/** Get a listener (a server endpoint); the one that lost most time comes first. @return the one at
 * index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_listener *tcpwhy_report_listener(const tcpwhy_report *report,
                                                                size_t i);

/** Number of entries of the ledger. Threads: any. */
TCPWHY_API size_t tcpwhy_report_ledger_entry_count(const tcpwhy_report *report);

/** Get an entry of the ledger of all selected streams, costliest first. @return the one at index i,
 * or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_ledger_entry *tcpwhy_report_ledger_entry(const tcpwhy_report *report,
                                                                        size_t i);

/** Response times of the exchanges of all selected streams. Threads: any. */
TCPWHY_API const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report);

/** Status classes of the answers of all selected streams. Threads: any. */
TCPWHY_API const struct tcpwhy_status_classes *tcpwhy_report_status(const tcpwhy_report *report);

/**
 * Traffic over time. Frames and bytes are those of every frame read; the rest is of the selected
 * streams. Threads: any.
 */
TCPWHY_API const struct tcpwhy_traffic *tcpwhy_report_traffic(const tcpwhy_report *report);

/** Number of pairs of a client host and a listener. Threads: any. */
TCPWHY_API size_t tcpwhy_report_ports_count(const tcpwhy_report *report);

/** Get such a pair, most ports in use first; there are at most 32. @return the one at index i, or
 * NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_ports *tcpwhy_report_ports(const tcpwhy_report *report, size_t i);

/** Number of facts; usually 0. Threads: any. */
TCPWHY_API size_t tcpwhy_report_fact_count(const tcpwhy_report *report);

/** Get a fact that a reader should know beside the findings, the most important first. @return the
 * one at index i, or NULL beyond the last. Threads: any. */
TCPWHY_API const struct tcpwhy_fact *tcpwhy_report_fact(const tcpwhy_report *report, size_t i);

/** Number of connections that waited for a name or a next hop before their SYN. Threads: any. */
TCPWHY_API size_t tcpwhy_report_before_syn_count(const tcpwhy_report *report);

/** Get such a wait; they come in the order of the SYNs. @return the one at index i, or NULL beyond
 * the last. Threads: any. */
TCPWHY_API const struct tcpwhy_before_syn *tcpwhy_report_before_syn(const tcpwhy_report *report,
                                                                    size_t i);

/** The name that the newest DNS answer in the capture gives this address, whatever the port.
 * @return NULL: none. It came off the wire. Threads: any. */
TCPWHY_API const char *tcpwhy_report_dns_name(const tcpwhy_report *report,
                                              const struct tcpwhy_endpoint *address);

/** The name of an address: the one that all clients of that listener use, else the one from DNS.
 * @return NULL: none, or options.numeric. It came off the wire. Threads: any. */
TCPWHY_API const char *tcpwhy_report_name(const tcpwhy_report *report,
                                          const struct tcpwhy_endpoint *endpoint);

#ifdef __cplusplus
}
#endif

#endif
