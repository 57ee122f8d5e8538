/* SPDX-License-Identifier: MIT */
/*
 * Rows on their way into the archive: workers pack them, one thread writes them, a capture at a
 * time, so that nobody waits for the disk while there is room for what waits.
 */
#ifndef BATCH_WRITER_H
#define BATCH_WRITER_H

#include "archive.h"
#include "progress.h"
#include "thread.h"

struct writer {
    struct archive *archive;
    struct progress *progress;
    size_t most_bytes; /* may wait to be written */
    gint failed;       /* atomic: the archive could not be written, and nothing else will be */
    /* private */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    GQueue captures; /* struct waiting, in the order in which they are written */
    size_t bytes;    /* of all that waits */
    bool closed;
};

/* Start it: archive, progress and most_bytes are set. */
void writer_start(struct writer *writer);

/* Any thread: hand over what an analysis found, or why there is none. The job must live until
 * writer_finish(). Waits while too much waits. */
void writer_put(struct writer *writer, const struct job *job, tcpwhy_report *report,
                const char *error);

/* Write what waits, and end. @return false when something could not be written. */
bool writer_finish(struct writer *writer);

#endif
