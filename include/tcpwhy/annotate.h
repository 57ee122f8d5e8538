/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Write a capture's findings into a copy of it, for Wireshark and every other reader of pcapng.
 */
#ifndef TCPWHY_ANNOTATE_H
#define TCPWHY_ANNOTATE_H

#include <tcpwhy/render.h>
#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tcpwhy_options;

/** Options of an annotated copy. Start from TCPWHY_ANNOTATE_INIT; a zero field means the default.
 */
struct tcpwhy_annotate_options {
    size_t struct_size; /**< set by the initialiser. */
    bool evidence;  /**< write only the streams with findings, and of these only the frames around
                       the evidence. */
    uint32_t waits; /**< annotate at most this many gaps of each finding, longest first; 0: 50, or
                       10 with evidence. */
    uint32_t findings; /**< annotate at most this many findings, costliest first; 0: all, or 20 with
                          evidence. */
    uint32_t around;   /**< with evidence: keep this many frames of the stream on each side of a
                          commented frame; 0: 20. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_ANNOTATE_INIT                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_annotate_options)                                      \
    }

/** Counts of what was written, filled up to struct_size. Start from TCPWHY_ANNOTATED_INIT. */
struct tcpwhy_annotated {
    size_t struct_size; /**< set by the initialiser. */
    uint64_t frames;    /**< frames in the capture. */
    uint64_t written;   /**< frames written: all of them, unless evidence left some out. */
    uint64_t
        comments; /**< frames with a comment, apart from the frame numbers that an excerpt adds. */
    uint64_t findings; /**< findings in the whole capture. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_ANNOTATED_INIT                                                                      \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_annotated)                                             \
    }

/**
 * Write the capture again as pcapng, with a comment on each frame that proves a finding and the
 * diagnosis as comment of its first section.
 *
 * Of a pcapng file everything else stays as it is, byte for byte: other blocks, options and
 * comments. (The length of a section, which few writers tell, is set to "not told"; a simple packet
 * block has no room for a comment and gets none.) A pcap file becomes one section with one
 * interface. An excerpt (evidence) leaves out what is no packet and bears a frame number, and
 * secrets for decryption; its frames keep their time, and a comment tells their number in the whole
 * capture. What follows damage in the file is not written.
 *
 * The file is read two or three times. Standard input and pipes are first copied to a file without
 * a name in the folder for temporary files. Nothing is written before the analysis is done.
 *
 * @param path      as for tcpwhy_analyze_file().
 * @param options   which frames and streams to look at, or NULL; callbacks are not called. Without
 *                  evidence all frames are written, whatever the filter and the selection say.
 * @param how       NULL for the defaults.
 * @param write     receives the pcapng file piece by piece; false stops.
 * @param annotated NULL, or set on success.
 * @param error     NULL, or error_size bytes that on failure hold one line.
 * @return 0, TCPWHY_ERR_STOPPED when write returned false, TCPWHY_ERR_USAGE when path or write is
 *         NULL, or another negative tcpwhy_error.
 *
 * Threads: safe to call at once from several threads.
 */
TCPWHY_API int tcpwhy_annotate_file(const char *path, const struct tcpwhy_options *options,
                                    const struct tcpwhy_annotate_options *how,
                                    tcpwhy_write_fn write, void *user,
                                    struct tcpwhy_annotated *annotated, char *error,
                                    size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
