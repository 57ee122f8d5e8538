/* SPDX-License-Identifier: MIT */
#include "chains.h"

#include "../complain.h"

static bool take_first(void *user, const struct tcpwhy_segment *segment)
{
    *(int64_t *)user = segment->time_ns;
    return false;
}

/* A capture that has no TCP for so long is not searched further. */
static bool give_up(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    (void)user;
    (void)done_bytes;
    (void)total_bytes;
    return false;
}

static int64_t first_time(void *user, const char *path)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    int64_t first_ns = TCPWHY_NS_UNKNOWN;
    tcpwhy_report *report = NULL;

    if (((const struct file *)g_hash_table_lookup(user, path))->refused)
        return TCPWHY_NS_UNKNOWN;
    callbacks.on_segment = take_first;
    callbacks.on_progress = give_up;
    callbacks.user = &first_ns;
    options.callbacks = &callbacks;
    options.threads = 1;
    if (tcpwhy_analyze_file(path, &options, &report, NULL, 0) == 0)
        tcpwhy_report_free(report);
    return first_ns;
}

GPtrArray *chains_of(GPtrArray *files, enum tcpwhy_chaining how)
{
    GPtrArray *jobs = g_ptr_array_new_with_free_func(job_free);
    struct tcpwhy_file *given = g_new(struct tcpwhy_file, files->len);
    struct tcpwhy_file **chained = g_new(struct tcpwhy_file *, files->len);
    GHashTable *by_path = g_hash_table_new(g_str_hash, g_str_equal);
    size_t n = 0;

    for (guint i = 0; i < files->len; i++) {
        struct file *file = g_ptr_array_index(files, i);

        chained[i] = &given[i];
        given[i] = (struct tcpwhy_file)TCPWHY_FILE_INIT;
        given[i].path = file->path;
        given[i].modified_ns = file->modified_ns;
        g_hash_table_insert(by_path, file->path, file);
    }
    check_memory(tcpwhy_chain_files(chained, files->len, how, first_time, by_path, &n));
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(jobs, job_new());
    for (guint i = 0; i < files->len; i++)
        job_add(g_ptr_array_index(jobs, chained[i]->chain),
                g_hash_table_lookup(by_path, chained[i]->path));
    g_hash_table_destroy(by_path);
    g_free(chained);
    g_free(given);
    g_ptr_array_free(files, TRUE);
    return jobs;
}
