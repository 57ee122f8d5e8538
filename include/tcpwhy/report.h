/* SPDX-License-Identifier: MIT */
/*
 * The report: read-only views of what an analysis found. Every pointer in a view lives as long as
 * the report, texts are UTF-8 and NUL terminated, and names that came off the wire (paths, host
 * names, comments) are hostile: renderers escape them, and so must you.
 *
 * Threads: a finished report may be read from several threads at once.
 */
#ifndef TCPWHY_REPORT_H
#define TCPWHY_REPORT_H

#include <tcpwhy/facts.h>
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
    size_t n_frames;
};

struct tcpwhy_capture {
    const char *file;    /**< as given; "-" for standard input, "" for pushed packets. */
    const char *comment; /**< section comments of pcapng, "" when none. */
    uint64_t frames;     /**< all frames read. */
    uint64_t tcp_frames; /**< those that were dissected as TCP. */
    uint64_t bytes;      /**< their length on the wire. */
    int64_t first_ns;    /**< time of the first frame since the epoch, UTC; or unknown. */
    int64_t last_ns;
    const struct tcpwhy_quality *quality;
    size_t n_quality;
};

/** The verdict on a stream or a capture; cause NONE means healthy. */
struct tcpwhy_verdict {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;         /**< NONE when certain. */
    struct tcpwhy_endpoint endpoint; /**< who holds the knob. */
    tcpwhy_ns cost_ns;
    double share;     /**< of the time somebody waited or could have, 0 to 1. */
    uint32_t streams; /**< how many connections it was charged to. */
};

/** Milliseconds of one stream charged to one cause. Entries of a stream add up to its life. */
struct tcpwhy_ledger_entry {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_side from; /**< the sender whose data waited. */
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    tcpwhy_ns ns;
    uint32_t count;     /**< how many separate intervals. */
    tcpwhy_ns first_ns; /**< when the first of them began. */
};

/** One interval of a stream's life and its cause; spans follow each other without a hole. */
struct tcpwhy_span {
    tcpwhy_ns from_ns, to_ns;
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_side from;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    uint32_t first_frame, last_frame; /**< the frames at its ends. */
};

/** A number or a text that belongs to a finding; the unit is in the name. */
struct tcpwhy_detail {
    const char *name; /**< "ceiling_bytes", "rtt_us", "rate_bps", "stack" ... */
    const char *text; /**< NULL when it is a number. */
    double number;
};

/** One cause at one endpoint: what it cost over all streams, and the frames that prove it. */
struct tcpwhy_finding {
    enum tcpwhy_cause cause;
    enum tcpwhy_party party;
    enum tcpwhy_confidence confidence;
    enum tcpwhy_cause rival;
    struct tcpwhy_endpoint endpoint;
    struct tcpwhy_endpoint peer;
    uint32_t stream;        /**< the stream that it cost most. */
    uint32_t streams;       /**< in how many. */
    tcpwhy_ns cost_ns;      /**< over all of them. */
    uint64_t count;         /**< instances. */
    tcpwhy_ns median_ns;    /**< of one instance. */
    const uint32_t *frames; /**< the frames of the clearest instance, in order. */
    size_t n_frames;
    const struct tcpwhy_detail *details;
    size_t n_details;
    const char *summary; /**< one sentence with the numbers. */
    const char *remedy;  /**< what to change. */
};

/** Latencies in nanoseconds; unknown when there are none. Nearest-rank percentiles. */
struct tcpwhy_percentiles {
    uint64_t count;
    tcpwhy_ns min_ns, p50_ns, p75_ns, p90_ns, p99_ns, max_ns;
    tcpwhy_ns first_ns; /**< when the first of their requests left; unknown when there are none. */
    tcpwhy_ns last_ns;  /**< when the last of their answers was complete. */
};

/** How many responses had a status of each class; index 1 is 1xx ... 5 is 5xx, 0 other. */
struct tcpwhy_status_classes {
    uint64_t n[6];
};

/** A request with its response. Times are shifted to the client by the vantage's half round trip.
 */
struct tcpwhy_exchange {
    const char *protocol; /**< "http", "tls", "mysql", or "turn" for plain turn-taking. */
    const char *request;  /**< "GET /index.html", or "" when the protocol has no name for it. */
    uint16_t status;      /**< 0 when the protocol has none. */
    bool complete;        /**< the response ended inside the capture. */
    uint32_t request_frame, request_last_frame, response_frame,
        response_last_frame; /**< 0: none. */
    tcpwhy_ns start_ns;      /**< first byte of the request leaves. */
    tcpwhy_ns first_byte_ns; /**< from there to the first byte of the response. */
    tcpwhy_ns total_ns;      /**< from there to its last byte. */
    uint64_t request_bytes, response_bytes;
};

/** Retransmissions of data by what caused them; SYNs are not among them. */
struct tcpwhy_repairs {
    uint32_t fast;           /**< duplicate ACKs or SACK told (RFC 5681, RFC 6675, RFC 8985). */
    uint32_t probes;         /**< tail loss probes (RFC 8985, section 7). */
    uint32_t timeouts;       /**< the retransmission timer fired (RFC 6298). */
    uint32_t after_timeouts; /**< the rest of what was out then, as ACKs came in. */
    uint32_t spurious;       /**< of all of them, those of data that had arrived. */
};

struct tcpwhy_stream {
    uint32_t stream; /**< tshark's tcp.stream. */
    struct tcpwhy_endpoint client, server;
    bool roles_inferred;               /**< no SYN was seen: client and server are a guess. */
    bool complete_start, complete_end; /**< handshake seen; FIN or RST seen. */
    enum tcpwhy_vantage vantage;
    enum tcpwhy_confidence vantage_confidence;
    tcpwhy_ns start_ns, duration_ns;
    uint32_t first_frame, last_frame;
    uint64_t frames;
    uint64_t bytes_to_server, bytes_to_client; /**< distinct payload bytes. */
    uint64_t retransmissions;                  /**< frames, SYNs among them. */
    struct tcpwhy_repairs repairs;
    tcpwhy_ns rtt_min_ns, rtt_median_ns, rtt_max_ns; /**< client to server and back; or unknown. */
    struct tcpwhy_verdict verdict;
    const struct tcpwhy_ledger_entry *ledger; /**< costliest first. */
    size_t n_ledger;
    struct tcpwhy_percentiles latency; /**< of its exchanges. */
    struct tcpwhy_status_classes status;
    const struct tcpwhy_exchange *exchanges; /**< NULL unless the options asked to keep them. */
    size_t n_exchanges;
    const struct tcpwhy_span *spans; /**< NULL unless the options asked to keep them. */
    size_t n_spans;
    tcpwhy_ns way_ns[2]; /**< one way from the vantage to client and to server, as inferred. */
};

/** What one server endpoint saw over all of its connections. */
struct tcpwhy_listener {
    struct tcpwhy_endpoint endpoint;
    uint64_t connections;
    uint64_t unanswered; /**< connections whose SYN nobody answered. */
    uint64_t refused;
    uint64_t resets;
    struct tcpwhy_percentiles latency;
    struct tcpwhy_status_classes status;
    const struct tcpwhy_ledger_entry *ledger;
    size_t n_ledger;
    struct tcpwhy_openings openings;
    struct tcpwhy_traffic traffic; /**< empty for listeners beyond the first thousand. */
};

/** The capture as a whole. */
TCPWHY_API const struct tcpwhy_capture *tcpwhy_report_capture(const tcpwhy_report *report);

/** The worst cause of the whole capture. */
TCPWHY_API const struct tcpwhy_verdict *tcpwhy_report_verdict(const tcpwhy_report *report);

/** Findings, costliest first; *n is their count. */
TCPWHY_API const struct tcpwhy_finding *tcpwhy_report_findings(const tcpwhy_report *report,
                                                               size_t *n);

/** Streams in tshark's order; only those that the options selected. */
TCPWHY_API const struct tcpwhy_stream *tcpwhy_report_streams(const tcpwhy_report *report,
                                                             size_t *n);

/** Server endpoints, those that lost most first. */
TCPWHY_API const struct tcpwhy_listener *tcpwhy_report_listeners(const tcpwhy_report *report,
                                                                 size_t *n);

/** Latencies of the exchanges of all selected streams. */
TCPWHY_API const struct tcpwhy_percentiles *tcpwhy_report_latency(const tcpwhy_report *report);

/** Status classes of the answers of all selected streams. */
TCPWHY_API const struct tcpwhy_status_classes *tcpwhy_report_status(const tcpwhy_report *report);

/**
 * Traffic over time: frames and bytes of all frames that were read, the rest of the selected
 * streams.
 */
TCPWHY_API const struct tcpwhy_traffic *tcpwhy_report_traffic(const tcpwhy_report *report);

/** Client hosts and listeners, those with the most ports in use first; at most 32. */
TCPWHY_API const struct tcpwhy_ports *tcpwhy_report_ports(const tcpwhy_report *report, size_t *n);

/** What a reader should know beside the findings, most important first; mostly none. */
TCPWHY_API const struct tcpwhy_fact *tcpwhy_report_facts(const tcpwhy_report *report, size_t *n);

#ifdef __cplusplus
}
#endif

#endif
