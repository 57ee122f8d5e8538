/* SPDX-License-Identifier: MIT */
/* A capture to analyse, and what its tables say of its files. */
#include "batch.h"

void file_free(gpointer data)
{
    struct file *file = data;

    g_free(file->path);
    g_free(file);
}

const char *job_refused(const struct job *job)
{
    for (guint i = 0; i < job->files->len; i++)
        if (job_file(job, i)->refused)
            return job_file(job, i)->refused;
    return NULL;
}

struct job *job_new(void)
{
    struct job *job = g_new0(struct job, 1);

    job->files = g_ptr_array_new_with_free_func(file_free);
    return job;
}

void job_add(struct job *job, struct file *file)
{
    if (job->files->len == 0)
        tcpwhy_capture_id(file->path, job->id);
    g_ptr_array_add(job->files, file);
    job->size_bytes += file->size_bytes;
}

void job_free(gpointer data)
{
    struct job *job = data;

    g_ptr_array_free(job->files, TRUE);
    g_free(job);
}

struct tcpwhy_table_options job_table_options(const struct job *job, const char *error)
{
    struct tcpwhy_table_options options = { .struct_size = sizeof(options),
                                            .path = job_file(job, 0)->path,
                                            .error = error,
                                            .size_bytes = job->size_bytes,
                                            .files = job->files->len,
                                            .integer_times = true };

    for (guint i = 0; i < job->files->len; i++)
        options.modified_ns = MAX(options.modified_ns, job_file(job, i)->modified_ns);
    return options;
}
