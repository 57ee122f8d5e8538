/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Render a report as text for a terminal, JSON for programs, pages or pictures. Nothing is analysed
 * here.
 */
#ifndef TCPWHY_RENDER_H
#define TCPWHY_RENDER_H

#include <tcpwhy/compare.h>
#include <tcpwhy/graph.h>
#include <tcpwhy/report.h>
#include <tcpwhy/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Receives rendered bytes. Return false to stop (a closed pipe, a full disk). */
typedef bool (*tcpwhy_write_fn)(void *user, const char *bytes, size_t len);

/** Documents. Each lists its formats and what it needs of tcpwhy_render_options. */
enum tcpwhy_document {
    /** Summary, worst streams, findings: one screen. TEXT, JSON, NDJSON. */
    TCPWHY_DOC_DIAGNOSIS = 0,
    /** One row per connection. TEXT, JSON, NDJSON, CSV. */
    TCPWHY_DOC_STREAMS = 1,
    /** Each selected connection: ledger, exchanges, findings. TEXT, JSON, NDJSON. */
    TCPWHY_DOC_EXPLAIN = 2,
    /** Requests and responses (needs keep_exchanges). TEXT, JSON, NDJSON, CSV. */
    TCPWHY_DOC_EXCHANGES = 3,
    /** Flow graph of each selected stream (needs keep_spans, and keep_exchanges to find the worst
     * exchange): flow_options. TEXT, JSON, NDJSON; SVG of at most 50 streams. */
    TCPWHY_DOC_FLOW = 4,
    /** Traffic over time, listeners, client ports. TEXT, JSON, NDJSON, CSV. */
    TCPWHY_DOC_TRAFFIC = 5,
    /** Where the time went, for the capture and for each listener. TEXT, JSON, NDJSON, FOLDED. */
    TCPWHY_DOC_LEDGER = 6,
    /** Everything on one page. Verdict, ledger, findings and the worst flow graph need no script; a
     * script adds a table to sort and filter, and the graphs, flow graph and exchanges of a chosen
     * stream (needs keep_spans and keep_exchanges). With more: a chapter for each report. HTML. */
    TCPWHY_DOC_REPORT = 7,
    /** A stream over time (needs keep_spans): graph, graph_options. SVG, CSV, JSON, XPLOT. */
    TCPWHY_DOC_GRAPH = 8,

    /* The next documents need no report: the options hold their subject. */

    /** One finding, as on_finding gives it: cost, party and remedy, without frames: finding. With a
     * report also the name of its endpoint. TEXT; JSON and NDJSON: an object in one line. */
    TCPWHY_DOC_FINDING = 9,
    /** One frame, as on_segment gives it: segment. TEXT, CSV, SCRIPT; JSON and NDJSON: an object in
     * one line. CSV without a segment: the names of the columns. */
    TCPWHY_DOC_SEGMENT = 10,
    /** Description of a cause (tcpwhy_cause_info()) or a failure (tcpwhy_failure_info()): cause,
     * failure. TEXT, JSON, NDJSON. */
    TCPWHY_DOC_CAUSE = 11,
    /** Descriptions of every cause and failure, short in text. TEXT, JSON, NDJSON. */
    TCPWHY_DOC_CAUSES = 12,
    /** Comparison of two reports: comparison. TEXT, JSON, NDJSON, HTML. */
    TCPWHY_DOC_COMPARISON = 13,

    /* The next documents need a report again. */

    /** Response times: their distribution at each listener, by status and by operation, and over
     * time (needs keep_exchanges): slower_ns. TEXT, JSON, NDJSON, CSV, SVG. */
    TCPWHY_DOC_LATENCY = 14,
    /** The capture in the layout of another tool (needs keep_exchanges and keep_spans): tool. TEXT,
     * JSON, NDJSON. */
    TCPWHY_DOC_AS = 15,
    /** UDP flows: rate, loss, order, jitter. TEXT, JSON, NDJSON, CSV. */
    TCPWHY_DOC_UDP = 16,
    /** Throughput of each selected stream over time, and their sum (needs keep_spans): intervals of
     * graph_options. SVG, CSV, JSON, NDJSON. */
    TCPWHY_DOC_RATES = 17,
    /** DNS lookups, and what connections waited for before their SYN. TEXT, JSON, NDJSON. */
    TCPWHY_DOC_NAMES = 18,
    /** The phases of each exchange as browsers show them: name, connect, TLS, send, wait, receive
     * (needs keep_exchanges). TEXT, JSON, NDJSON, CSV, SVG, HAR. */
    TCPWHY_DOC_WATERFALL = 19,
};

/** Formats. All are UTF-8, end with a line feed, and are the same for the same report; all escape
 * what came off the wire. */
enum tcpwhy_format {
    TCPWHY_FORMAT_TEXT = 0, /**< for a terminal: columns, color, ascii. */
    TCPWHY_FORMAT_JSON = 1, /**< one document, schema "tcpwhy/1". */
    /** JSON, one object per line: a stream (streams, explain), an exchange, an interval (traffic),
     * a flow graph; for other documents the whole document. */
    TCPWHY_FORMAT_NDJSON = 2,
    TCPWHY_FORMAT_CSV =
        3, /**< comma-separated values; for segments as tshark -T fields writes them. */
    TCPWHY_FORMAT_HTML = 4, /**< one page that needs no other file and no network. */
    /** One picture that needs no other file: selectable text, light or dark as its reader prefers.
     * Points beyond its resolution are thinned; extremes stay. */
    TCPWHY_FORMAT_SVG = 5,
    /** Stacks for flame graph tools: lines of "HOST;LISTENER;STREAM;CAUSE MILLISECONDS". Each line
     * of a cause makes up for the rounding of the one before, so that the sum of a cause is exact
     * to half a millisecond. Lines of 0 are left out. */
    TCPWHY_FORMAT_FOLDED = 6,
    TCPWHY_FORMAT_XPLOT = 7,  /**< for xplot and jPlot, as tcptrace writes it. */
    TCPWHY_FORMAT_SCRIPT = 8, /**< a line from which the unit tests make the same segment. */
    TCPWHY_FORMAT_HAR = 9,    /**< HTTP Archive 1.2, for browsers and tools that read it; without
                                   headers and bodies. */
};

/** The tool whose layout is imitated. */
enum tcpwhy_tool {
    TCPWHY_TOOL_WRK = 0,        /**< requests, latencies, requests per second. */
    TCPWHY_TOOL_AB = 1,         /**< connect, processing, waiting, total. */
    TCPWHY_TOOL_HPING3 = 2,     /**< SYN probes and their answers. */
    TCPWHY_TOOL_IPERF3 = 3,     /**< bytes, bits/s, Retr and Cwnd per stream and second. */
    TCPWHY_TOOL_TRACEROUTE = 4, /**< hops that answered SYNs by ICMP. */
    TCPWHY_TOOL_SS = 5,         /**< connections at the end of the capture. */
};

/** Number of tools; they are numbered from 0. Threads: any. */
TCPWHY_API size_t tcpwhy_tool_count(void);

/** "wrk", "ab" ... Static storage; "" for an unknown tool. Threads: any. */
TCPWHY_API const char *tcpwhy_tool_name(enum tcpwhy_tool tool);

/** Look up a tool by its name. @return whether there is one; if so, *out is set. Threads: any. */
TCPWHY_API bool tcpwhy_tool_by_name(const char *name, enum tcpwhy_tool *out);

/** The frames that a flow graph shows. The analysis has seen all of them. */
enum tcpwhy_flow_only {
    TCPWHY_FLOW_ALL = 0,     /**< all. */
    TCPWHY_FLOW_DATA = 1,    /**< frames with payload. */
    TCPWHY_FLOW_REPAIR = 2,  /**< retransmissions, duplicate ACKs, frames out of order, probes. */
    TCPWHY_FLOW_CONTROL = 3, /**< SYN, FIN, RST. */
    TCPWHY_FLOW_ACKS = 4,    /**< frames without payload. */
};

/** The part of a stream that a flow graph shows; TCPWHY_FLOW_INIT chooses the costliest. */
struct tcpwhy_flow_options {
    size_t struct_size;   /**< sizeof the struct, so that it can grow. */
    tcpwhy_ns from_ns;    /**< start, since the capture's first frame. */
    tcpwhy_ns to_ns;      /**< end, since the capture's first frame; 0: none. */
    uint32_t first_frame; /**< first frame to show; 0: no limit. */
    uint32_t last_frame;  /**< last frame to show; 0: no limit. */
    bool whole;           /**< the whole stream, however long. */
    bool unfold;          /**< a row for each frame: do not fold runs of similar ones. */
    uint32_t max_rows; /**< rows per graph; 0: 200, or fewer for a long gap. The graph says what it
                          leaves out. */
    bool together;     /**< one graph of all streams, a column per host (text and SVG). */
    enum tcpwhy_flow_only only; /**< the frames to show; gaps and their causes stay. */
    bool no_acks;               /**< hide ACKs without payload, SYN, FIN or RST. */
    const uint32_t *show;       /**< frames to show, sorted; NULL: all. */
    size_t n_show;              /**< number of these frames. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_FLOW_INIT                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_flow_options)                                          \
    }

/** Options of a document. Start from TCPWHY_RENDER_INIT, which NULL stands for. Everything that
 * it points to is borrowed until the call returns. For every struct that begins with its size, an
 * impossible size, or a field that this library lacks, is TCPWHY_ERR_ARGUMENT. */
struct tcpwhy_render_options {
    size_t struct_size;                             /**< sizeof the struct, so that it can grow. */
    unsigned columns;                               /**< text: terminal width, 60 to 400; 0: 80. */
    bool color;                                     /**< text: ANSI colours. */
    bool ascii;                                     /**< text: no character outside ASCII. */
    enum tcpwhy_graph graph;                        /**< graph: its kind. */
    enum tcpwhy_cause cause;                        /**< cause: which one. */
    const struct tcpwhy_flow_options *flow_options; /**< flow; NULL: TCPWHY_FLOW_INIT. */
    const struct tcpwhy_graph_options *graph_options; /**< graph; NULL: TCPWHY_GRAPH_INIT. */
    const struct tcpwhy_finding *finding;             /**< finding: which one. */
    const struct tcpwhy_segment *segment;             /**< segment: which one. */
    const tcpwhy_comparison *comparison;              /**< comparison: which one. */
    const tcpwhy_report *const *more;                 /**< report: n_more further ones. */
    size_t n_more;                                    /**< number of further reports. */
    enum tcpwhy_failure_kind
        failure;           /**< cause: a failure to describe as well, or alone if cause is NONE. */
    enum tcpwhy_tool tool; /**< TCPWHY_DOC_AS: the tool to imitate. */
    tcpwhy_ns slower_ns;   /**< latency: count answers slower than this; 0: 2 s, as wrk does. */
    const char *only_protocol;  /**< exchanges and operations: only of this protocol; NULL: all. */
    const char *only_operation; /**< exchanges: only requests that contain this text; NULL: all. */
    const char *only_status;    /**< exchanges: only this status, or details that contain this text
                                   ("SQLSTATE 42", "error"); NULL: all. */
    bool by_operation; /**< exchanges: group them by name. Ledger: add what the requests of each
                          name waited for (needs exchanges and spans). Traffic: add their bytes
                          (needs exchanges). */
    double link_bits_per_s; /**< traffic: rate of the link, to show its utilization; 0: unknown. */
    uint32_t max_rows; /**< most rows of each list: exchanges, operations, lookups, UDP flows, and
                          in JSON findings and failures; the rest is counted. 0: all. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_RENDER_INIT                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_render_options)                                        \
    }

/**
 * Render a document.
 *
 * @param report   borrowed; NULL for documents that are not of a report.
 * @param options  NULL: TCPWHY_RENDER_INIT.
 * @param write    receives the bytes piece by piece, before this returns.
 * @param user     given to write.
 * @return 0; TCPWHY_ERR_STOPPED when write returned false; TCPWHY_ERR_ARGUMENT, before anything is
 *         written, when the document does not have that format, what it needs is missing (a report,
 *         a finding, a stream of a graph with its spans), or the options are of no known version;
 *         TCPWHY_ERR_USAGE when write is NULL.
 *
 * Threads: safe to call at once from several threads, with the same report, too.
 */
TCPWHY_API int tcpwhy_render(const tcpwhy_report *report, enum tcpwhy_document document,
                             enum tcpwhy_format format, const struct tcpwhy_render_options *options,
                             tcpwhy_write_fn write, void *user);

/**
 * Colour of a cause in every picture and page, as "#d55e00", on a light or a dark ground. Static
 * storage. Threads: any.
 */
TCPWHY_API const char *tcpwhy_cause_color(enum tcpwhy_cause cause, bool dark);

/** Formats of a followed stream. */
enum tcpwhy_follow_format {
    TCPWHY_FOLLOW_RAW = 0,  /**< byte for byte what tshark -q -z follow,tcp,raw,N prints. */
    TCPWHY_FOLLOW_HEX = 1,  /**< byte for byte what tshark -q -z follow,tcp,hex,N prints. */
    TCPWHY_FOLLOW_TEXT = 2, /**< printable text under a line that names sender, frame and length. */
    TCPWHY_FOLLOW_JSON = 3, /**< one document, schema "tcpwhy/1", bytes as hexadecimal text. */
};

/** Options of a followed stream. Start from TCPWHY_FOLLOW_INIT. */
struct tcpwhy_follow_options {
    size_t struct_size;               /**< sizeof the struct, so that it can grow. */
    enum tcpwhy_follow_format format; /**< how to show the bytes. */
    uint32_t stream;                  /**< stream number, as in tshark. */
    bool hide[2];                     /**< leave out the bytes of that side, by enum tcpwhy_side. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_FOLLOW_INIT                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_follow_options)                                        \
    }

/** A followed stream that is being written; opaque. */
typedef struct tcpwhy_follow tcpwhy_follow;

/**
 * Begin to show a followed stream. Nothing is written yet.
 *
 * @param options  NULL: TCPWHY_FOLLOW_INIT; copied.
 * @param write    receives the text piece by piece, now and later.
 * @param out      set on success; the caller releases it with tcpwhy_follow_free().
 * @return 0, or TCPWHY_ERR_ARGUMENT when there is no such format, or an option that this library
 *         lacks; TCPWHY_ERR_USAGE when write or out is NULL.
 *
 * Threads: it belongs to one thread at a time; several are independent.
 */
TCPWHY_API int tcpwhy_follow_new(const struct tcpwhy_follow_options *options, tcpwhy_write_fn write,
                                 void *user, tcpwhy_follow **out);

/**
 * Name the ends, copied, before the first bytes: on_segment, which comes before them, tells them.
 * What is told later is not looked at.
 * @return 0, or TCPWHY_ERR_USAGE when one of the three is NULL, or from within write.
 */
TCPWHY_API int tcpwhy_follow_ends(tcpwhy_follow *follow, const struct tcpwhy_endpoint *client,
                                  const struct tcpwhy_endpoint *server);

/**
 * Take what on_follow was given. The head is written with the first call.
 * @return 0, TCPWHY_ERR_STOPPED when write returned false, TCPWHY_ERR_ARGUMENT when there is no
 * such side, or TCPWHY_ERR_USAGE when follow, or the bytes that there are, are NULL, or from within
 * write.
 */
TCPWHY_API int tcpwhy_follow_bytes(tcpwhy_follow *follow, enum tcpwhy_side from, uint32_t frame,
                                   const uint8_t *bytes, size_t len);

/** Write the end (a stream that does not exist has a head and no bytes); once. @return likewise. */
TCPWHY_API int tcpwhy_follow_end(tcpwhy_follow *follow);

/** Release it; writes nothing. NULL does nothing. @return 0, or TCPWHY_ERR_USAGE from within write:
 * then it is not released. */
TCPWHY_API int tcpwhy_follow_free(tcpwhy_follow *follow);

#ifdef __cplusplus
}
#endif

#endif
