/* SPDX-License-Identifier: MIT */
/** @file
 * A capture with its findings written into it, for Wireshark and whoever else reads pcapng.
 */
#ifndef TCPWHY_ANNOTATE_H
#define TCPWHY_ANNOTATE_H

#include <tcpwhy/render.h>
#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tcpwhy_options;

/** How to annotate. Start from TCPWHY_ANNOTATE_INIT; a zero field means the default. */
struct tcpwhy_annotate_options {
    size_t struct_size; /**< set by the initialiser. */
    bool evidence;      /**< write only streams with findings, cut to the frames around these. */
    uint32_t waits;     /**< of each finding annotate so many waits, the longest; 0: 50, or 10 of an
                          excerpt. */
    uint32_t findings;  /**< so many findings, the costliest; 0: all, or 20 of an excerpt. */
    uint32_t around;    /**< with evidence: so many frames of the stream before and after each frame
                             that has a comment; 0: 20. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_ANNOTATE_INIT                                                                       \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_annotate_options)                                      \
    }

/** What was written; filled as far as struct_size says. Start from TCPWHY_ANNOTATED_INIT. */
struct tcpwhy_annotated {
    size_t struct_size; /**< set by the initialiser. */
    uint64_t frames;    /**< of the capture. */
    uint64_t written;   /**< of these; fewer only with evidence. */
    uint64_t comments;  /**< on frames, not counting what an excerpt tells of each frame. */
    uint64_t findings;  /**< of the whole capture. */
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
