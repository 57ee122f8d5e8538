/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <string.h>

/* What a worker is at. */
struct turn {
    struct work *work;
    const struct job *job;
    unsigned threads;
    gint64 read_bytes; /* told to the progress so far */
};

static bool stopped(struct work *work)
{
    return *work->stop || g_atomic_int_get(&work->writer.failed);
}

static bool on_progress(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    struct turn *turn = user;
    gint64 more = (gint64)done_bytes - turn->read_bytes;

    (void)total_bytes;
    turn->read_bytes += more;
    progress_add(turn->work->progress, more, 0, 0);
    return !stopped(turn->work);
}

/* The next job; when fewer are left than there are workers, one gets more threads. */
static bool take(struct work *work, struct turn *turn)
{
    bool more;

    *turn = (struct turn) { .work = work };
    pthread_mutex_lock(&work->lock);
    more = work->next < work->jobs->len && !stopped(work);
    if (more) {
        guint left = work->jobs->len - work->next + work->running;

        turn->job = g_ptr_array_index(work->jobs, work->next++);
        turn->threads = left >= work->workers ? 1 : work->workers / left;
        work->running++;
    }
    pthread_mutex_unlock(&work->lock);
    return more;
}

/* As much as for each analysis is for the rows that wait to be written. */
static uint64_t memory_share(const struct work *work)
{
    return work->memory_bytes / (work->workers + 1);
}

static int analyze(struct turn *turn, tcpwhy_report **report, char *error)
{
    struct work *work = turn->work;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;
    const GPtrArray *files = turn->job->files;
    const char **paths = g_new(const char *, files->len);
    int code;

    for (guint i = 0; i < files->len; i++)
        paths[i] = job_file(turn->job, i)->path;
    options.filter = work->filter;
    options.keep_exchanges = true;
    options.on_progress = on_progress;
    options.user = turn;
    options.threads = turn->threads;
    options.memory_bytes = memory_share(work);
    if (files->len == 1)
        code = tcpwhy_analyze_file(paths[0], &options, report, error);
    else
        code = tcpwhy_analyze_files(paths, files->len, &options, report, error);
    g_free(paths);
    return code;
}

/* The error without the path, which stands beside it. */
static const char *bare(const char *error, const struct job *job)
{
    for (guint i = 0; i < job->files->len; i++) {
        const char *path = job_file(job, i)->path;

        if (g_str_has_prefix(error, path) && strncmp(error + strlen(path), ": ", 2) == 0)
            return error + strlen(path) + 2;
    }
    return error;
}

/* What is analysed is kept, even when the run is to stop. */
static void finish(struct turn *turn, tcpwhy_report *report, const char *error)
{
    struct work *work = turn->work;

    progress_add(work->progress, turn->job->size_bytes - turn->read_bytes, 0, 0);
    writer_put(&work->writer, turn->job, report, error);
}

static void *run(void *data)
{
    struct work *work = data;
    struct turn turn;

    while (take(work, &turn)) {
        char error[TCPWHY_ERROR_TEXT] = "";
        tcpwhy_report *report = NULL;
        int code = analyze(&turn, &report, error);

        if (code != TCPWHY_ERR_STOPPED)
            finish(&turn, report, bare(error, turn.job));
        tcpwhy_report_free(report);
        pthread_mutex_lock(&work->lock);
        work->running--;
        pthread_mutex_unlock(&work->lock);
    }
    return NULL;
}

bool work_run(struct work *work)
{
    pthread_t *threads = g_new(pthread_t, work->workers);
    bool written;

    pthread_mutex_init(&work->lock, NULL);
    work->writer = (struct writer) { .archive = work->archive,
                                     .progress = work->progress,
                                     /* Arrays that grow by doubling need twice that. */
                                     .most_bytes = memory_share(work) / 4 };
    writer_start(&work->writer);
    for (unsigned i = 0; i < work->workers; i++)
        thread_start(&threads[i], run, work);
    for (unsigned i = 0; i < work->workers; i++)
        pthread_join(threads[i], NULL);
    g_free(threads);
    pthread_mutex_destroy(&work->lock);
    written = writer_finish(&work->writer);
    return written && !*work->stop;
}
