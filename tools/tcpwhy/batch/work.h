/* SPDX-License-Identifier: MIT */
/* Captures to an archive: analysed beside each other, written one at a time. */
#ifndef BATCH_WORK_H
#define BATCH_WORK_H

#include <signal.h>

#include "archive.h"
#include "progress.h"

struct work {
    struct archive *archive;
    struct progress *progress;
    GPtrArray *jobs; /* struct job, the largest first */
    const char *filter;
    unsigned workers;
    uint64_t memory_bytes; /* for all workers together; 0: the library's default for each */
    const volatile sig_atomic_t *stop;
    /* private */
    GMutex lock;
    guint next, running;
    gint failed; /* atomic */
};

/* @return false when it was stopped, or the archive could not be written. */
bool work_run(struct work *work);

#endif
