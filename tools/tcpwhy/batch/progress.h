/* SPDX-License-Identifier: MIT */
/* The progress of a run: a bar on a terminal, a line every ten seconds elsewhere; on stderr. */
#ifndef BATCH_PROGRESS_H
#define BATCH_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

#include <glib.h>

struct progress {
    pthread_mutex_t lock;
    gint64 begun_us, shown_us;
    guint64 total_bytes, done_bytes; /* of captures */
    guint total, done, failed;
    bool terminal, shown, ascii;
    unsigned columns;
    int cells; /* of the bar */
};

void progress_begin(struct progress *progress, guint captures, guint64 bytes, unsigned columns,
                    bool ascii);
/* Add bytes read and captures done; draws when due. Threads: any. */
void progress_add(struct progress *progress, gint64 bytes, guint done, guint failed);
/* Take the bar away. */
void progress_end(struct progress *progress);

/* "1.2 GB"; room for 32 bytes. */
char *progress_bytes(double bytes, char *text);
/* "1 h 12 min", "43 s", "0.2 s"; room for 32 bytes. */
char *progress_time(double seconds, char *text);

#endif
