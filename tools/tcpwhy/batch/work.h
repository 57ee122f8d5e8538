/* SPDX-License-Identifier: MIT */
/* Captures to an archive: analysed beside each other, written by a thread of its own. */
#ifndef BATCH_WORK_H
#define BATCH_WORK_H

#include <signal.h>

#include "writer.h"

struct work {
    struct archive *archive;
    struct progress *progress;
    GPtrArray *jobs; /* struct job, the largest first */
    const char *filter;
    const char *keys;     /* text of the key log, or NULL */
    const char *pictures; /* folder, or NULL */
    unsigned workers;
    uint64_t unpack_bytes; /* of each capture */
    uint64_t memory_bytes; /* for all workers together, and what waits to be written */
    gint64 most_us;        /* for a capture; 0: as long as it takes */
    const volatile sig_atomic_t *stop;
    guint abandoned; /* workers that did not come back in time, and may still read their captures */
    /* private */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    guint next;
    int64_t left_bytes; /* of captures that have not come back */
    GPtrArray *turns;   /* of all workers, abandoned ones included */
    struct writer writer;
};

/*
 * @return false when it was stopped, or the archive could not be written. When workers were
 *         abandoned, work and its jobs must stay until the process ends.
 */
bool work_run(struct work *work);

#endif
