/* SPDX-License-Identifier: MIT */
/* Stands in where tcpwhy was built without SQLite. */
#include "archive.h"

static bool open_database(struct archive *archive)
{
    return archive_refuse(archive, "this tcpwhy was built without SQLite: name it .csv or .ndjson");
}

const struct archive_kind archive_sqlite = { .open = open_database };
