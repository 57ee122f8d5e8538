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
    unsigned workers;
    uint64_t memory_bytes; /* for all workers together, and what waits to be written */
    const volatile sig_atomic_t *stop;
    /* private */
    pthread_mutex_t lock;
    guint next, running;
    struct writer writer;
};

/* @return false when it was stopped, or the archive could not be written. */
bool work_run(struct work *work);

#endif
