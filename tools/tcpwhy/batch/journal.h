/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a folder's tables that belong to each capture, one line a capture, written after
 * its rows: what lies beyond the last line was never finished.
 */
#ifndef BATCH_JOURNAL_H
#define BATCH_JOURNAL_H

#include "batch.h"

/* Of each table, where something ends in its file. */
struct ends {
    int64_t at[N_TABLES];
};

struct entry {
    char id[TCPWHY_CAPTURE_ID_TEXT];
    bool failed;
    struct ends ends;
    GPtrArray *files; /* struct file */
};

struct journal {
    char *form;       /* "csv", "ndjson" */
    int version;      /* of the tables */
    struct ends head; /* ends of the tables before the first capture */
    GPtrArray *entries;
};

struct journal *journal_new(const char *form, int version);
/* NULL when it is no journal. A line that is not whole, and what follows it, is left out. */
struct journal *journal_parse(const char *text);
void journal_free(struct journal *journal);

void journal_append_head(const struct journal *journal, GString *out);
void journal_append_entry(const struct entry *entry, GString *out);

struct entry *entry_new(const char *id, bool failed);

#endif
