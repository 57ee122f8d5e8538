/* SPDX-License-Identifier: MIT */
/** @file
 * A report to bytes: text for a terminal, JSON for programs. No analysis happens here.
 */
#ifndef TCPWHY_RENDER_H
#define TCPWHY_RENDER_H

#include <tcpwhy/report.h>
#include <tcpwhy/segment.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Receives rendered bytes. Return false to stop (a closed pipe, a full disk). */
typedef bool (*tcpwhy_write_fn)(void *user, const char *bytes, size_t len);

/** How to draw text; start from TCPWHY_STYLE_INIT, which NULL stands for. A size that cannot be, or
 * a field that this library lacks, is TCPWHY_ERR_ARGUMENT wherever a struct begins with its size.
 */
struct tcpwhy_style {
    size_t struct_size; /**< sizeof the struct, so that it can grow. */
    unsigned columns;   /**< terminal width; 0: 80. */
    bool color;         /**< ANSI colours. */
    bool ascii;         /**< no character outside ASCII. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_STYLE_INIT                                                                          \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_style)                                                 \
    }

/** Which document to render. */
enum tcpwhy_document {
    TCPWHY_DOC_DIAGNOSIS = 0, /**< summary, worst streams, findings: one screen. */
    TCPWHY_DOC_STREAMS = 1,   /**< one row a connection. */
    TCPWHY_DOC_EXPLAIN = 2,   /**< each selected connection: ledger, exchanges, findings. */
    TCPWHY_DOC_EXCHANGES = 3, /**< requests and responses (needs keep_exchanges). */
    TCPWHY_DOC_FLOW = 4,      /**< the flow graph of the selected streams (needs keep_spans). */
    TCPWHY_DOC_TRAFFIC = 5,   /**< traffic over time, listeners, client ports. */
    TCPWHY_DOC_LEDGER = 6,    /**< where the time went, of the capture and of each listener. */
};

/** Render as text. @return 0, or TCPWHY_ERR_STOPPED when write returned false. */
TCPWHY_API int tcpwhy_render_text(const tcpwhy_report *report, enum tcpwhy_document document,
                                  const struct tcpwhy_style *style, tcpwhy_write_fn write,
                                  void *user);

/** Render as one JSON document, schema "tcpwhy/1", with a line feed at its end. Same return. */
TCPWHY_API int tcpwhy_render_json(const tcpwhy_report *report, enum tcpwhy_document document,
                                  tcpwhy_write_fn write, void *user);

/**
 * Render as JSON, one object a line: a stream (streams, explain), an exchange (exchanges), a graph
 * (flow), or the whole document (diagnosis). Same return.
 */
TCPWHY_API int tcpwhy_render_ndjson(const tcpwhy_report *report, enum tcpwhy_document document,
                                    tcpwhy_write_fn write, void *user);

/** Render as comma-separated values; TCPWHY_DOC_TRAFFIC only, others are empty. Same return. */
TCPWHY_API int tcpwhy_render_csv(const tcpwhy_report *report, enum tcpwhy_document document,
                                 tcpwhy_write_fn write, void *user);

/**
 * Render the ledgers of all streams as folded stacks, which flame graph tools read: lines of
 * "HOST;LISTENER;STREAM;CAUSE MILLISECONDS". Those tools take whole numbers: what is lost by
 * rounding a line comes back in the next line of that cause, so that each cause's sum is exact to
 * half a millisecond. Lines of 0 are left out. Same return.
 */
TCPWHY_API int tcpwhy_render_folded(const tcpwhy_report *report, tcpwhy_write_fn write, void *user);

/**
 * Render one finding, as on_finding gives it: its cost, whose it is and what to change, without
 * frames; as JSON an object in one line. Same return.
 */
TCPWHY_API int tcpwhy_render_finding_text(const struct tcpwhy_finding *finding,
                                          const struct tcpwhy_style *style, tcpwhy_write_fn write,
                                          void *user);
/** As tcpwhy_render_finding_text(), in the form of schema "tcpwhy/1". */
TCPWHY_API int tcpwhy_render_finding_json(const struct tcpwhy_finding *finding,
                                          tcpwhy_write_fn write, void *user);

/** What of a stream a flow graph shows; TCPWHY_FLOW_INIT chooses what hurts most. */
struct tcpwhy_flow_options {
    size_t struct_size;   /**< sizeof the struct, so that it can grow. */
    tcpwhy_ns from_ns;    /**< since the capture's first frame. */
    tcpwhy_ns to_ns;      /**< likewise; 0: no end. */
    uint32_t first_frame; /**< 0: no limit. */
    uint32_t last_frame;  /**< 0: no limit. */
    bool whole;           /**< the whole stream, however long. */
    bool unfold;          /**< a row for each frame: do not fold runs of alike ones. */
    uint32_t max_rows;    /**< rows a graph; 0: 200, or fewer of a long wait; told when left out. */
    bool together;        /**< one graph of all streams, a column a host (text and SVG). */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_FLOW_INIT                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_flow_options)                                          \
    }

/**
 * Render the flow graph of each selected stream (needs keep_spans; keep_exchanges to find the worst
 * exchange). options NULL: TCPWHY_FLOW_INIT. Same return.
 */
TCPWHY_API int tcpwhy_render_flow_text(const tcpwhy_report *report,
                                       const struct tcpwhy_flow_options *options,
                                       const struct tcpwhy_style *style, tcpwhy_write_fn write,
                                       void *user);
/** Likewise as one JSON document. Same return. */
TCPWHY_API int tcpwhy_render_flow_json(const tcpwhy_report *report,
                                       const struct tcpwhy_flow_options *options,
                                       tcpwhy_write_fn write, void *user);
/** Likewise as JSON, a line a stream. Same return. */
TCPWHY_API int tcpwhy_render_flow_ndjson(const tcpwhy_report *report,
                                         const struct tcpwhy_flow_options *options,
                                         tcpwhy_write_fn write, void *user);

/**
 * The same as one SVG document that needs no other file: selectable text, light or dark as its
 * reader prefers, and the same bytes for the same report. At most 50 streams. Same return.
 */
TCPWHY_API int tcpwhy_render_flow_svg(const tcpwhy_report *report,
                                      const struct tcpwhy_flow_options *options,
                                      tcpwhy_write_fn write, void *user);

/**
 * Render reports as one HTML page that needs no other file and no network: verdict, ledger,
 * findings and the worst flow graph without a script; with it a table to sort and filter, and the
 * graphs, flow graph and exchanges of a chosen stream (needs keep_spans and keep_exchanges).
 *
 * @param reports  n of them, 1 or more, borrowed; each is a chapter of the page.
 * @return 0, or TCPWHY_ERR_STOPPED when write returned false.
 */
TCPWHY_API int tcpwhy_render_html(const tcpwhy_report *const *reports, size_t n,
                                  tcpwhy_write_fn write, void *user);

/**
 * The colour of a cause in every picture and page, as "#d55e00": on a light ground or on a dark
 * one. Static storage. Threads: any.
 */
TCPWHY_API const char *tcpwhy_cause_color(enum tcpwhy_cause cause, bool dark);

/**
 * Render what is to be known of a cause (see tcpwhy_cause_info()); of every cause, in brief, when
 * it is TCPWHY_CAUSE_ANY. TCPWHY_ERR_ARGUMENT when there is no such cause; else same return.
 */
TCPWHY_API int tcpwhy_render_cause_text(enum tcpwhy_cause cause, const struct tcpwhy_style *style,
                                        tcpwhy_write_fn write, void *user);
/** Likewise as one JSON document. Same return. */
TCPWHY_API int tcpwhy_render_cause_json(enum tcpwhy_cause cause, tcpwhy_write_fn write, void *user);

/** Column names of tcpwhy_render_segment_csv(), as tshark -T fields -E header=y names them. */
TCPWHY_API int tcpwhy_render_segment_csv_header(tcpwhy_write_fn write, void *user);

/** One frame as a CSV row. Same return. */
TCPWHY_API int tcpwhy_render_segment_csv(const struct tcpwhy_segment *segment,
                                         tcpwhy_write_fn write, void *user);
/** One frame as a JSON object on a line. Same return. */
TCPWHY_API int tcpwhy_render_segment_json(const struct tcpwhy_segment *segment,
                                          tcpwhy_write_fn write, void *user);
/** One frame as a line of a script, from which tests make the same connection. Same return. */
TCPWHY_API int tcpwhy_render_segment_script(const struct tcpwhy_segment *segment,
                                            tcpwhy_write_fn write, void *user);
/** One frame as a line of text. Same return. */
TCPWHY_API int tcpwhy_render_segment_text(const struct tcpwhy_segment *segment,
                                          const struct tcpwhy_style *style, tcpwhy_write_fn write,
                                          void *user);

/** How to show a followed stream. */
enum tcpwhy_follow_format {
    TCPWHY_FOLLOW_RAW = 0,  /**< byte for byte what tshark -q -z follow,tcp,raw,N prints. */
    TCPWHY_FOLLOW_HEX = 1,  /**< likewise follow,tcp,hex,N. */
    TCPWHY_FOLLOW_TEXT = 2, /**< printable text under a line that names sender, frame and length. */
    TCPWHY_FOLLOW_JSON = 3, /**< one document, schema "tcpwhy/1", bytes as hexadecimal text. */
};

/** How to show a followed stream. Start from TCPWHY_FOLLOW_INIT. */
struct tcpwhy_follow_options {
    size_t struct_size;               /**< sizeof the struct, so that it can grow. */
    enum tcpwhy_follow_format format; /**< how to show the bytes. */
    uint32_t stream;                  /**< as tshark numbers it. */
    bool hide[2];                     /**< by enum tcpwhy_side: leave that side's bytes out. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_FOLLOW_INIT                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_follow_options)                                        \
    }

/** One followed stream on its way out; opaque. */
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
