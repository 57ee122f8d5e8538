/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Group rotated files into captures by their names and times, for tcpwhy_analyze_files().
 */
#ifndef TCPWHY_FILES_H
#define TCPWHY_FILES_H

#include <stddef.h>

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Evidence that several files are one capture. */
enum tcpwhy_chaining {
    TCPWHY_CHAIN_FOUND = 0, /**< their names, as tcpdump -C, -W and -G, dumpcap -b and logrotate
                               form them, in one folder and without a missing one in between. */
    TCPWHY_CHAIN_ALL = 1,   /**< a common folder. */
    TCPWHY_CHAIN_NONE = 2,  /**< nothing: each file is a capture. */
};

/** A file and its place. Start from TCPWHY_FILE_INIT. */
struct tcpwhy_file {
    size_t struct_size;  /**< sizeof the struct, so that it can grow. */
    const char *path;    /**< path; the part before the last '/' is the folder. Borrowed. */
    int64_t modified_ns; /**< time of the last change, since the epoch. */
    size_t chain;        /**< out: number of its capture, from 0. */
};

/** Designated so that fields added later are 0. */
#define TCPWHY_FILE_INIT                                                                           \
    {                                                                                              \
        .struct_size = sizeof(struct tcpwhy_file)                                                  \
    }

/** Begin of a file: the time of its first TCP frame since the epoch, UTC, or TCPWHY_NS_UNKNOWN. */
typedef int64_t (*tcpwhy_begin_fn)(void *user, const char *path);

/**
 * Sort pointers to files so that those of one capture stand beside each other, in order of their
 * beginnings, and number the captures from 0.
 *
 * @param files       n pointers, NULL when n is 0; the caller keeps what they point to.
 * @param how         the evidence that files are one capture.
 * @param begin       called with user for files that may belong together; a file without a known
 *                    beginning is a capture of its own.
 * @param n_captures  set on success to the number of captures.
 * @return 0, or TCPWHY_ERR_ARGUMENT when a file's struct_size cannot be, or there is no such
 * evidence; TCPWHY_ERR_USAGE when begin or n_captures is NULL, or one of the pointers to files, or
 * the path of one. Then nothing is changed.
 *
 * Threads: safe to call at once from several threads.
 */
TCPWHY_API int tcpwhy_chain_files(struct tcpwhy_file **files, size_t n, enum tcpwhy_chaining how,
                                  tcpwhy_begin_fn begin, void *user, size_t *n_captures);

#ifdef __cplusplus
}
#endif

#endif
