/* SPDX-License-Identifier: MIT */
/** @file
 * Why is this TCP connection slow? Feed a session with a file, a buffer, or packet by packet, and
 * take its report.
 *
 *     tcpwhy_report *report;
 *     char error[TCPWHY_ERROR_TEXT];
 *     if (tcpwhy_analyze_file("capture.pcap", NULL, &report, error, sizeof error) < 0)
 *         return fail(error);
 *     puts(tcpwhy_cause_info(tcpwhy_report_verdict(report)->cause)->title);
 *     tcpwhy_report_free(report);
 *
 * The rules that keep a program running with later libraries:
 *
 * Rows. What a report holds is read as rows: const structs that the library owns and that may
 * become longer at their end. A program takes a row by its pointer from a function that is given
 * its index (tcpwhy_report_stream(); NULL beyond tcpwhy_report_stream_count()), and never copies
 * one or steps from one to the next, since its own sizeof is that of the header that it was built
 * with. A list inside a row is an array of pointers to rows with its length beside it, and what may
 * grow inside a row is a pointer, too. Plain numbers are arrays with their length. A list of length
 * 0 may be NULL.
 *
 * Structs that never change: tcpwhy_endpoint, tcpwhy_status_classes, and those of Arrow.
 *
 * Structs that a program provides begin with struct_size, set by their _INIT macro or the function
 * beside it (init.h): options, and what the library fills. The rest is zero, which means the
 * default.
 *
 * Errors. A function that can fail returns a negative tcpwhy_error and leaves what it would have
 * filled alone. Where it takes error and error_size, these are a buffer that on failure holds one
 * line, cut to its length (TCPWHY_ERROR_TEXT bytes hold all of it); error may be NULL.
 *
 * Memory. When it runs out, functions that return a code return TCPWHY_ERR_MEMORY, and those that
 * return a row return NULL for one that is there; the streams of tables return ENOMEM. The process
 * goes on. A session or a live source is of no more use then: what is asked of it returns
 * TCPWHY_ERR_MEMORY, until it is released as ever. Reports stay as they are and can be asked again.
 * Releasing something always succeeds. What is written or called back until then has been.
 *
 * NULL is allowed where a function says so: for options, for error, and for what a _free() function
 * releases. Elsewhere it is an error of the program that never crashes: TCPWHY_ERR_USAGE from
 * functions that return a code, and NULL, 0 or false from those that return what they found.
 *
 * Enumerations. Numbers never change their meaning. Later libraries may know more of them, so ask
 * for names, and expect numbers that the header lacks.
 */
#ifndef TCPWHY_TCPWHY_H
#define TCPWHY_TCPWHY_H

#include <tcpwhy/annotate.h>
#include <tcpwhy/compare.h>
#include <tcpwhy/facts.h>
#include <tcpwhy/failures.h>
#include <tcpwhy/files.h>
#include <tcpwhy/graph.h>
#include <tcpwhy/incident.h>
#include <tcpwhy/init.h>
#include <tcpwhy/layout.h>
#include <tcpwhy/live.h>
#include <tcpwhy/parsed.h>
#include <tcpwhy/render.h>
#include <tcpwhy/report.h>
#include <tcpwhy/segment.h>
#include <tcpwhy/tables.h>
#include <tcpwhy/types.h>
#include <tcpwhy/version.h>
#include <tcpwhy/views.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bytes of a followed stream, in the order in which tshark's "follow" shows them; a hole that the
 * other side acknowledged past comes as tshark's text "[N bytes missing in capture file]". The
 * first call of a stream has len 0 and tells which side tshark calls "Node 0".
 * Comes after on_segment of the same frame. Return false to stop the analysis.
 */
typedef bool (*tcpwhy_follow_fn)(void *user, uint32_t stream, enum tcpwhy_side from, uint32_t frame,
                                 const uint8_t *bytes, size_t len);

/**
 * A finding of one connection, just before that connection's tcpwhy_stream_fn: its cost and count
 * are of this connection alone. Valid during the call. Return false to stop the analysis.
 */
typedef bool (*tcpwhy_finding_fn)(void *user, const struct tcpwhy_finding *finding);

/**
 * How far reading has come, several times a second on a fast disk: bytes of the file as it lies on
 * disk (compressed, when it is), of how many. total_bytes is 0 when nobody knows: standard input.
 * Return false to cancel the analysis.
 */
typedef bool (*tcpwhy_progress_fn)(void *user, uint64_t done_bytes, uint64_t total_bytes);

/**
 * Whom to tell while an analysis runs. Start from TCPWHY_CALLBACKS_INIT; NULL is for callbacks that
 * nobody needs.
 *
 * Threads: all callbacks of one analysis are called one at a time, by the thread that called
 * tcpwhy_analyze_file() (or _files(), _memory()), tcpwhy_session_push() or tcpwhy_session_finish(),
 * before that call returns. A callback cannot call functions of the session that it belongs to:
 * these return TCPWHY_ERR_USAGE and do nothing.
 */
struct tcpwhy_callbacks {
    size_t struct_size;           /**< sizeof the struct, so that it can grow. */
    void *user;                   /**< handed to each of them. */
    tcpwhy_segment_fn on_segment; /**< called for each TCP frame of a selected stream: in the file's
                                       order where options.wireshark or on_follow is set, else in
                                       that in which they passed. */
    tcpwhy_follow_fn
        on_follow; /**< called with each selected stream's bytes, in the file's order. */
    tcpwhy_stream_fn on_stream;     /**< called for each selected stream when it is over. */
    tcpwhy_finding_fn on_finding;   /**< called for each finding of a stream that is over. */
    tcpwhy_progress_fn on_progress; /**< called while a file is read; not by sessions. */
    tcpwhy_incident_fn on_incident; /**< called for each wait of options.incident_ns and more. */
    bool in_batches; /**< on_stream and on_finding may come later, when the results of a batch of
                          streams are there: then options.threads explain. The order and what is
                        told are the same, and all of it is told before the analysis ends. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_CALLBACKS_INIT                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_callbacks)                                             \
    }

/**
 * The options of an analysis. Start from TCPWHY_OPTIONS_INIT; a zero field means the default.
 * struct_size says which fields the caller knows: a program that was built with an older header
 * goes on as before, and one built with a newer header is refused when it sets a field that this
 * library lacks.
 */
struct tcpwhy_options {
    size_t struct_size;  /**< sizeof the struct, so that it can grow; set by TCPWHY_OPTIONS_INIT. */
    const char *filter;  /**< BPF expression, or NULL: every frame. */
    const char *streams; /**< "3", "0,4-7": which streams to report; NULL: all. */
    const struct tcpwhy_callbacks *callbacks; /**< whom to tell, copied; NULL: nobody. */
    tcpwhy_ns interval_ns; /**< width of the intervals of traffic over time; 0: a second. Doubled
                                until the capture fits into 4096 of them. */
    uint64_t memory_bytes; /**< the analysis needs no more than about this; 0: 2 GiB. Where that
                                bound is reached the capture's quality says what gave way. */
    uint32_t threads;      /**< at work at once; 0: as many as there are processors. The report is
                                the same whatever their number. With on_stream or on_finding one
                                does it all, so that they are told at once, unless
                                callbacks.in_batches is set. */
    uint32_t keep_waits; /**< of each finding keep so many waits, the longest, with their frames. */
    uint32_t keep_streams; /**< keep the rows of so many streams at most, those that lost most; 0:
                                all. Findings, listeners and percentiles are of all streams. */
    bool keep_exchanges;   /**< keep every exchange in the report, not only percentiles. */
    bool keep_spans;       /**< keep each stream's spans and its segment log (flow graphs). */
    bool wireshark;        /**< compute tshark-compatible labels for on_segment. */
    bool keep_weighings;   /**< keep how the causes of each stream's costliest gaps were weighed. */
    uint32_t weigh_frame;  /**< with keep_weighings: of the gap that ended at this frame instead, or
                                the nearest one. */
    uint64_t unpack_bytes; /**< decompress so much of a file at most; 0: all. The capture's quality
                                says if there was more. */
    const char *keys; /**< secrets of TLS connections, the text of a key log (SSLKEYLOGFILE), or
                           NULL; beside those in a pcapng. Requests inside are told then. */
    bool follow_decrypted; /**< on_follow gets what was decrypted of TLS, in the order in which the
                                records came, instead of the bytes of TCP; nothing of a stream that
                                is not TLS, or without its keys. */
    bool show_values;      /**< requests show values, too: those in statements of SQL, keys, topics.
                                Without, a report can be sent to others. */
    tcpwhy_ns incident_ns; /**< with on_incident: waits of so long and more; 0: 40 ms, the shortest
                                delayed-ACK timer of Linux. */
    bool numeric;          /**< no names beside addresses: tcpwhy_stream.server_name and
                                tcpwhy_report_name() are NULL. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_OPTIONS_INIT                                                                        \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_options)                                               \
    }

/**
 * Read a capture to its end and explain every TCP connection in it.
 *
 * @param path     pcap, pcapng or another capture format (docs/formats.md), plain or compressed
 *                 (gzip, zstd, lz4, xz, as far as they were built in; known by content, not by
 *                 name); "-" is standard input.
 * @param options  NULL for defaults; read before the call returns, not kept.
 * @param out      set on success to a report that the caller owns; left alone on failure.
 * @param error    NULL, or error_size bytes that on failure hold one line: the file, what is wrong,
 *                 and what to do.
 * @return 0, or a negative tcpwhy_error. A capture cut short is not an error: the report says so.
 *         TCPWHY_ERR_STOPPED when a callback returned false; TCPWHY_ERR_MEMORY when memory runs
 * out; TCPWHY_ERR_USAGE when path or out is NULL.
 *
 * Threads: safe to call at once from several threads.
 */
TCPWHY_API int tcpwhy_analyze_file(const char *path, const struct tcpwhy_options *options,
                                   tcpwhy_report **out, char *error, size_t error_size);

/**
 * As tcpwhy_analyze_file(), for the files of one capture that was rotated: they are read in the
 * order given as if they were one, so that connections go on over the boundary and frames are
 * numbered through (tcpwhy_capture.parts tells which file a frame is in). A file that cannot be
 * read is left out, and the capture's quality says so; it is an error when all are.
 */
TCPWHY_API int tcpwhy_analyze_files(const char *const *paths, size_t n,
                                    const struct tcpwhy_options *options, tcpwhy_report **out,
                                    char *error, size_t error_size);

/** As tcpwhy_analyze_file(), for a capture file's bytes in memory (borrowed until the return). */
TCPWHY_API int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len,
                                     const struct tcpwhy_options *options, tcpwhy_report **out,
                                     char *error, size_t error_size);

/** A running analysis that is fed packet by packet. */
typedef struct tcpwhy_session tcpwhy_session;

/** One packet as a capture tool has it. Start from TCPWHY_PACKET_INIT. */
struct tcpwhy_packet {
    size_t struct_size;    /**< sizeof the struct, so that it can grow. */
    uint32_t link_type;    /**< a LINKTYPE_ value. */
    int64_t time_ns;       /**< since the epoch, UTC. */
    uint32_t captured_len; /**< length of bytes. */
    uint32_t original_len; /**< length on the wire. */
    const uint8_t *bytes;  /**< borrowed until the call returns. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_PACKET_INIT                                                                         \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_packet)                                                \
    }

/**
 * Start an analysis. @return 0 and *out, which the caller releases with tcpwhy_session_finish()
 * or tcpwhy_session_free(); or a negative tcpwhy_error with error filled.
 *
 * Threads: one session belongs to one thread at a time; several sessions are independent.
 */
TCPWHY_API int tcpwhy_session_new(const struct tcpwhy_options *options, tcpwhy_session **out,
                                  char *error, size_t error_size);

/**
 * Feed the next packet. A bad packet is a fact in the report, never an error.
 * @return 0, TCPWHY_ERR_STOPPED when a callback said so, or TCPWHY_ERR_ARGUMENT when struct_size
 *         cannot be or the packet has what this library lacks, or TCPWHY_ERR_USAGE when session,
 *         packet, or the bytes of a packet that has some are NULL: then it was not fed.
 *         TCPWHY_ERR_MEMORY from the packet on that found no memory: then only
 *         tcpwhy_session_free() is left.
 */
TCPWHY_API int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *packet);

/**
 * Feed the next segment that the caller has parsed; frames are counted as if it had been one.
 * Packets and parsed segments may be mixed.
 * @return as tcpwhy_session_push(); TCPWHY_ERR_ARGUMENT also when the endpoints are not both of IP
 *         version 4 or both of 6, or n_sack is above 4; TCPWHY_ERR_USAGE also when payload is NULL
 *         and payload_len is not 0.
 */
TCPWHY_API int tcpwhy_session_push_parsed(tcpwhy_session *session,
                                          const struct tcpwhy_parsed *segment);

/**
 * Tell how many packets were lost so far because the capturing system could not keep up: a total,
 * as tcpwhy_live_counts() gives it. The capture's quality says so.
 * @return 0, or TCPWHY_ERR_USAGE when session is NULL.
 */
TCPWHY_API int tcpwhy_session_dropped(tcpwhy_session *session, uint64_t packets);

/**
 * The report so far, as if the capture ended here: connections that are open are in it as they
 * stand. The session goes on as if nothing had been asked; on_stream and on_finding are not called.
 *
 * @param out  set to a report that the caller owns and that is independent of the session.
 * @return 0, TCPWHY_ERR_USAGE when session or out is NULL, or TCPWHY_ERR_MEMORY: then only
 *         tcpwhy_session_free() is left.
 */
TCPWHY_API int tcpwhy_session_snapshot(tcpwhy_session *session, tcpwhy_report **out);

/**
 * The report of one connection that is open, as it stands: as a snapshot, at the cost of that
 * connection alone. Its two ends are the handle, in any order; on_segment and on_incident name
 * them.
 *
 * @param out  set to a report that the caller owns and that is independent of the session;
 * findings, facts and the verdict are of that connection.
 * @return 0, TCPWHY_ERR_ARGUMENT when no such connection is open (or options.streams leaves it
 * out), or TCPWHY_ERR_USAGE when an argument is NULL.
 */
TCPWHY_API int tcpwhy_session_connection(tcpwhy_session *session, const struct tcpwhy_endpoint *end,
                                         const struct tcpwhy_endpoint *other_end,
                                         tcpwhy_report **out);

/**
 * End the analysis: explain what is still open, release the session, give the report.
 * @return 0, or TCPWHY_ERR_STOPPED when a callback said so now or earlier; then *out is left alone.
 *         TCPWHY_ERR_MEMORY when memory runs out, or did before.
 *         TCPWHY_ERR_USAGE when session or out is NULL, or from within a callback: then the session
 *         is not released.
 */
TCPWHY_API int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out);

/**
 * Release a session without a report. NULL does nothing.
 * @return 0, or TCPWHY_ERR_USAGE from within a callback of the session: then it is not released.
 */
TCPWHY_API int tcpwhy_session_free(tcpwhy_session *session);

#ifdef __cplusplus
}
#endif

#endif
