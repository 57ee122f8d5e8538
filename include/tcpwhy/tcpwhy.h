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
 * Callbacks may call every function, but those of the session or the followed stream that called
 * them: these return TCPWHY_ERR_USAGE and do nothing. A report or comparison that is released while
 * a call reads it lives until that call returns.
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
 * Receives a finding of one connection, just before the tcpwhy_stream_fn of that connection; cost
 * and count are of this connection alone. Valid during the call. Return false to stop the analysis.
 */
typedef bool (*tcpwhy_finding_fn)(void *user, const struct tcpwhy_finding *finding);

/**
 * Receives the progress of reading, several times a second on a fast disk: bytes read of the file
 * as it lies on disk (compressed, if it is), and its size; 0 if unknown, as for standard input.
 * Return false to cancel the analysis.
 */
typedef bool (*tcpwhy_progress_fn)(void *user, uint64_t done_bytes, uint64_t total_bytes);

/**
 * Functions to call while an analysis runs. Start from TCPWHY_CALLBACKS_INIT; NULL: no callback.
 *
 * Threads: the callbacks of an analysis are called one at a time, by the thread that called
 * tcpwhy_analyze_file() (or _files(), _memory()), tcpwhy_session_push() or tcpwhy_session_finish(),
 * before that call returns. A callback cannot call functions of its own session: these return
 * TCPWHY_ERR_USAGE and do nothing.
 */
struct tcpwhy_callbacks {
    size_t struct_size; /**< sizeof the struct, so that it can grow. */
    void *user;         /**< passed to each callback. */
    tcpwhy_segment_fn
        on_segment; /**< called for each TCP frame of a selected stream: in file order with
                       options.wireshark or on_follow, otherwise in the order of their times. */
    tcpwhy_follow_fn
        on_follow; /**< called with the bytes of each selected stream, in file order. */
    tcpwhy_stream_fn on_stream;     /**< called for each selected stream at its end. */
    tcpwhy_finding_fn on_finding;   /**< called for each finding of a stream at its end. */
    tcpwhy_progress_fn on_progress; /**< called while a file is read; never by sessions. */
    tcpwhy_incident_fn on_incident; /**< called for each gap of at least options.incident_ns. */
    bool in_batches; /**< on_stream and on_finding may come later, with the results of a batch of
                        streams, so that options.threads can explain. Order and content are the
                        same, and all calls come before the analysis ends. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_CALLBACKS_INIT                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_callbacks)                                             \
    }

/**
 * Options of an analysis. Start from TCPWHY_OPTIONS_INIT; a zero field means the default.
 * struct_size tells which fields the caller knows: a program built with an older header runs as
 * before; one built with a newer header is refused if it sets a field that this library lacks.
 */
struct tcpwhy_options {
    size_t struct_size;  /**< sizeof the struct, so that it can grow; set by TCPWHY_OPTIONS_INIT. */
    const char *filter;  /**< BPF expression; NULL: every frame. */
    const char *streams; /**< the streams to report: "3", "0,4-7"; NULL: all. */
    const struct tcpwhy_callbacks *callbacks; /**< what to call, copied; NULL: nothing. */
    tcpwhy_ns interval_ns; /**< width of the intervals of traffic over time; 0: one second. It
                              doubles until the capture fits into 4096 intervals. */
    uint64_t memory_bytes; /**< memory that the analysis may use, approximately; 0: 2 GiB. If it
                              reaches that, the capture's quality tells what was dropped. */
    uint32_t threads;    /**< number of threads; 0: one per processor. The report does not depend on
                            it. With on_stream or on_finding a single thread explains, so that they are
                            called at once, unless callbacks.in_batches is set. */
    uint32_t keep_waits; /**< keep this many instances of each finding with their frames, longest
                            first. */
    uint32_t keep_streams; /**< keep the rows of at most this many streams, those that lost most; 0:
                              all. Findings, listeners and percentiles cover all streams. */
    bool keep_exchanges;   /**< keep every exchange in the report, not just percentiles. */
    bool keep_spans; /**< keep the spans and the segment log of each stream (for flow graphs). */
    bool wireshark;  /**< compute labels compatible with tshark for on_segment. */
    bool keep_weighings; /**< keep how the causes of the costliest gaps of each stream were weighed.
                          */
    uint32_t weigh_frame;  /**< with keep_weighings: weigh the gap that this frame ended, or the
                              nearest one, instead. */
    uint64_t unpack_bytes; /**< decompress at most this many bytes of a file; 0: all. The capture's
                              quality tells if there was more. */
    const char *keys; /**< TLS secrets in key log format (SSLKEYLOGFILE), besides those inside a
                         pcapng; or NULL. They reveal the requests inside TLS. */
    bool follow_decrypted; /**< pass on_follow the decrypted TLS data in the order of its records,
                              instead of TCP's bytes; nothing for a stream without TLS or without
                              its keys. */
    bool show_values;      /**< show values in requests: literals of SQL statements, keys, topics.
                              Without them a report is fit to be sent to others. */
    tcpwhy_ns incident_ns; /**< with on_incident: shortest gap to report; 0: 40 ms, the shortest
                              delayed-ACK timer of Linux. */
    bool numeric; /**< no names beside addresses: tcpwhy_stream.server_name and tcpwhy_report_name()
                     are NULL. */
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

/** Like tcpwhy_analyze_file(), for the bytes of a capture file in memory (borrowed until the
 * return). */
TCPWHY_API int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len,
                                     const struct tcpwhy_options *options, tcpwhy_report **out,
                                     char *error, size_t error_size);

/** A running analysis that receives packet by packet; opaque. */
typedef struct tcpwhy_session tcpwhy_session;

/** One packet as a capture tool has it. Start from TCPWHY_PACKET_INIT. */
struct tcpwhy_packet {
    size_t struct_size;    /**< sizeof the struct, so that it can grow. */
    uint32_t link_type;    /**< a LINKTYPE_ value. */
    int64_t time_ns;       /**< since the epoch, UTC. */
    uint32_t captured_len; /**< captured bytes. */
    uint32_t original_len; /**< bytes on the wire. */
    const uint8_t *bytes;  /**< the captured bytes, borrowed until the call returns. */
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
