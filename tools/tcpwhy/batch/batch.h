/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between the parts of "tcpwhy batch": the captures to analyse, and what an archive
 * already knows.
 */
#ifndef BATCH_H
#define BATCH_H

#include <glib.h>

#include <tcpwhy/tcpwhy.h>

/* Tables that an archive has. */
#define N_TABLES (TCPWHY_TABLE_FAILURES + 1)

/* A file as it was found. */
struct file {
    char *path; /* absolute */
    int64_t size_bytes, modified_ns;
    const char *refused; /* why it is not to be opened, or NULL */
};

/* A capture: a file, or rotated ones in their order. */
struct job {
    char id[TCPWHY_CAPTURE_ID_TEXT];
    GPtrArray *files; /* struct file */
    int64_t size_bytes;
    guint place; /* among the captures of a run */
};

/* Why none of the job's files is to be opened, or NULL. */
const char *job_refused(const struct job *job);

void file_free(gpointer file);
struct job *job_new(void);
void job_add(struct job *job, struct file *file);
void job_free(gpointer job);

static inline const struct file *job_file(const struct job *job, guint i)
{
    return g_ptr_array_index(job->files, i);
}

/* Columns of the tables about its files. */
struct tcpwhy_table_options job_table_options(const struct job *job, const char *error);

#endif
