/* SPDX-License-Identifier: MIT */
/* Replacement if tcpwhy is built without SQLite. */
#include "archive.h"

#include <sys/stat.h>
#include <unistd.h>

static bool open_database(struct archive *archive)
{
    struct stat st;

    /* The lock has made it. */
    if (stat(archive->path, &st) == 0 && st.st_size == 0)
        unlink(archive->path);
    return archive_refuse(archive,
                          "this tcpwhy was built without SQLite: use the suffix .csv or .ndjson");
}

const struct archive_kind archive_sqlite = { .open = open_database };
