/* SPDX-License-Identifier: MIT */
/* Files to read: names, folders, patterns and lists to files, each once, in order of path. */
#ifndef BATCH_FIND_H
#define BATCH_FIND_H

#include "batch.h"

struct find {
    char **names; /* files, folders, patterns; "-": a list on standard input */
    int n_names;
    const char *files_from; /* a file with a list of names, "-" or NULL */
    const char *glob;       /* names of files in folders; NULL: what looks like a capture */
    int64_t newer_ns;       /* only files changed after; INT64_MIN: all */
};

struct left_out {
    guint older; /* by newer_ns */
    guint other; /* in folders, because they are not named as captures are */
};

/*
 * @param left_out  set to how many there are that were not taken.
 * @return files (struct file), or NULL when a name leads nowhere; that has been said. One of a list
 *         is a file all the same: it may have been there when the list was made.
 */
GPtrArray *find_files(const struct find *find, struct left_out *left_out);

/* Files that nobody takes. */
void find_free(GPtrArray *files);

/* "2026-11-20", "2026-11-20T10:00:00", "36h", "7d", or a file, whose time it is. */
bool find_time(const char *text, int64_t *ns);

#endif
