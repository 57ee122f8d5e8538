/* SPDX-License-Identifier: MIT */
/** @file
 * Which files are one capture: what a sensor rotated, told by names and times, for
 * tcpwhy_analyze_files().
 */
#ifndef TCPWHY_FILES_H
#define TCPWHY_FILES_H

#include <stddef.h>

#include <tcpwhy/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What makes files one capture. */
enum tcpwhy_chaining {
    TCPWHY_CHAIN_FOUND = 0, /**< names as tcpdump -C, -W and -G, dumpcap -b and logrotate give them
                             in a folder, when none is missing between. */
    TCPWHY_CHAIN_ALL = 1,   /**< being in one folder. */
    TCPWHY_CHAIN_NONE = 2,  /**< nothing: each is one. */
};

/** A file, and where it belongs. */
struct tcpwhy_file {
    const char *path;    /**< until the last '/' it is the folder. Borrowed. */
    int64_t modified_ns; /**< when it was written to last, since the epoch. */
    size_t chain;        /**< set: the same for all files of a capture. */
};

/** When a file begins: the time of its first TCP frame since the epoch, UTC, or TCPWHY_NS_UNKNOWN.
 */
typedef int64_t (*tcpwhy_begin_fn)(void *user, const char *path);

/**
 * Sort files so that those of one capture stand beside each other, in order of their beginnings,
 * and number the captures from 0.
 *
 * @param begin  is asked about files that may belong together; one that does not know its
 *               beginning is a capture of its own.
 * @return how many captures they are.
 *
 * Threads: safe to call at once from several threads.
 */
TCPWHY_API size_t tcpwhy_chain_files(struct tcpwhy_file *files, size_t n, enum tcpwhy_chaining how,
                                     tcpwhy_begin_fn begin, void *user);

#ifdef __cplusplus
}
#endif

#endif
