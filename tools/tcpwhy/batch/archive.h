/* SPDX-License-Identifier: MIT */
/*
 * The destination of rows: a SQLite database or a folder of CSV or NDJSON. A capture's rows are
 * there completely or not at all, whenever the process ends.
 */
#ifndef BATCH_ARCHIVE_H
#define BATCH_ARCHIVE_H

#include "batch.h"
#include "rows.h"

/* SQLite's user_version: of the tables' columns, and of how they are stored. */
#define ARCHIVE_SQLITE_VERSION (100 * TCPWHY_TABLES_VERSION + 2)

enum archive_form { ARCHIVE_SQLITE, ARCHIVE_CSV, ARCHIVE_NDJSON, ARCHIVE_UNKNOWN };

struct archive;

/* A file as an archive knows it; failed captures are tried again. */
struct known {
    char id[TCPWHY_CAPTURE_ID_TEXT]; /* of its capture */
    int64_t size_bytes, modified_ns;
    bool failed;
};

/* Rows of one table on their way: as the library gave them, or as they will stand in a file. */
struct piece {
    enum tcpwhy_table table;
    guint place; /* of its capture in this run */
    struct ArrowArray batch;
    GString *text;
    size_t bytes; /* of memory */
};

void piece_free(struct piece *piece);

/* A form of archive; adding one is one file. Each says on stderr what went wrong. */
struct archive_kind {
    /* Open, or make it; fills archive->known. @return false when it cannot be. */
    bool (*open)(struct archive *archive);
    /* Remove all rows of these captures (set of ids), at once. */
    bool (*forget)(struct archive *archive, GHashTable *ids);
    /* The rows of a batch, made ready as far as it can be done beside others. Any thread. */
    void (*pack)(const struct archive *archive, struct rows *rows, struct piece *piece);
    /* Write a piece of one capture, and make all its pieces count. One thread. */
    bool (*write)(struct archive *archive, const struct piece *piece);
    bool (*commit)(struct archive *archive, const struct job *job, bool failed);
    bool (*close)(struct archive *archive);
};

struct archive {
    const struct archive_kind *kind;
    enum archive_form form;
    const char *path;
    bool is_new; /* nothing was there before */
    int lock_fd; /* held while the archive is open */
    void *state;
    GHashTable *known; /* path: struct known */
    GHashTable *files; /* capture id: how many files it has, as a pointer */
};

/* The form that a name asks for: .sqlite, .sqlite3, .db; .csv; .ndjson. */
enum archive_form archive_form_of(const char *path);

/*
 * Take the place of an archive: its file or folder is there then, and nobody else's.
 *
 * @param resume  go on with one that is there; otherwise it must not be.
 * @return false when that cannot be; that has been said.
 */
bool archive_take(struct archive *archive, const char *path, enum archive_form form, bool resume);

/* Open what was taken. @return false when it cannot be opened; that has been said. */
bool archive_open(struct archive *archive);

/* Is the capture in it, as its files are now, and without an error? */
bool archive_has(const struct archive *archive, const struct job *job);

/* Remove what is known of captures that share a file with one of these jobs. */
bool archive_forget(struct archive *archive, GPtrArray *jobs);

/* Move what is left to disk. @return false when that failed. */
bool archive_close(struct archive *archive);

/* For the forms: note a file of a capture. */
void archive_know(struct archive *archive, const char *path, const char *id, int64_t size_bytes,
                  int64_t modified_ns, bool failed);
/* "tcpwhy: PATH: what"; false. */
G_GNUC_PRINTF(2, 3) bool archive_refuse(const struct archive *archive, const char *what, ...);
/* "tcpwhy: PATH: what: why", by errno; false. */
bool archive_fail(const struct archive *archive, const char *what);

extern const struct archive_kind archive_sqlite, archive_folder;

#endif
