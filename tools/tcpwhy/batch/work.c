/* SPDX-License-Identifier: MIT */
#include "work.h"

#include <string.h>
#include <time.h>

#include "pictures.h"

/* So much later than it should, a worker is waited for no more: the library does not ask between
 * two frames that pass the filter, nor can it when a disk does not answer. */
#define GRACE_US (1 * G_USEC_PER_SEC)

/* A worker's current capture. */
struct turn {
    struct work *work;
    pthread_t thread;
    const struct job *job; /* NULL: between two, or at the end */
    unsigned threads;
    bool ended, abandoned;
    gint64 read_bytes; /* reported to the progress so far */
    gint64 begun_us;
    bool too_long;
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
    turn->too_long =
        turn->work->most_us > 0 && g_get_monotonic_time() - turn->begun_us > turn->work->most_us;
    return !turn->too_long && !stopped(turn->work);
}

/* A capture has as many threads as it is of what is left: no worker is idle while the last and
 * largest is read. */
static unsigned threads_for(const struct work *work, const struct job *job)
{
    int64_t left = MAX(work->left_bytes, 1);
    int64_t threads = (2 * job->size_bytes * work->workers + left) / (2 * left);

    return (unsigned)CLAMP(threads, 1, (int64_t)work->workers);
}

/* @return false when none is left. */
static bool take(struct work *work, struct turn *turn)
{
    bool more;

    pthread_mutex_lock(&work->lock);
    turn->read_bytes = 0;
    turn->too_long = false;
    turn->begun_us = g_get_monotonic_time();
    more = work->next < work->jobs->len && !stopped(work);
    if (more) {
        turn->job = g_ptr_array_index(work->jobs, work->next++);
        turn->threads = threads_for(work, turn->job);
    }
    turn->ended = !more;
    pthread_cond_broadcast(&work->changed);
    pthread_mutex_unlock(&work->lock);
    return more;
}

/* As much as for each analysis is for the rows that wait to be written. */
static uint64_t memory_share(const struct work *work)
{
    return work->memory_bytes / (work->workers + 1);
}

static struct tcpwhy_options options_of(const struct turn *turn)
{
    const struct work *work = turn->work;
    struct tcpwhy_options options = TCPWHY_OPTIONS_INIT;

    options.filter = work->filter;
    options.keys = work->keys;
    options.keep_exchanges = true;
    options.threads = turn->threads;
    options.memory_bytes = memory_share(work);
    options.unpack_bytes = work->unpack_bytes;
    return options;
}

static int analyze(struct turn *turn, tcpwhy_report **report, char *error)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = options_of(turn);
    const GPtrArray *files = turn->job->files;
    const char **paths = g_new(const char *, files->len);
    int code;

    for (guint i = 0; i < files->len; i++)
        paths[i] = job_file(turn->job, i)->path;
    callbacks.on_progress = on_progress;
    callbacks.user = turn;
    options.callbacks = &callbacks;
    if (files->len == 1)
        code = tcpwhy_analyze_file(paths[0], &options, report, error, TCPWHY_ERROR_TEXT);
    else
        code = tcpwhy_analyze_files(paths, files->len, &options, report, error, TCPWHY_ERROR_TEXT);
    g_free(paths);
    return code;
}

static bool on_progress_again(void *user, uint64_t done_bytes, uint64_t total_bytes)
{
    struct turn *turn = user;

    (void)done_bytes;
    (void)total_bytes;
    return !stopped(turn->work) && !(turn->work->most_us > 0 &&
                                     g_get_monotonic_time() - turn->begun_us > turn->work->most_us);
}

/* Within the capture's time: without it there is a row and no picture. */
static void draw(struct turn *turn, const tcpwhy_report *report)
{
    struct tcpwhy_callbacks callbacks = TCPWHY_CALLBACKS_INIT;
    struct tcpwhy_options options = options_of(turn);

    callbacks.on_progress = on_progress_again;
    callbacks.user = turn;
    options.callbacks = &callbacks;
    pictures_draw(turn->work->pictures, turn->job, report, &options);
}

/* The error without the path, which is beside it. */
static const char *bare(const char *error, const struct job *job)
{
    for (guint i = 0; i < job->files->len; i++) {
        const char *path = job_file(job, i)->path;

        if (g_str_has_prefix(error, path) && strncmp(error + strlen(path), ": ", 2) == 0)
            return error + strlen(path) + 2;
    }
    return error;
}

static void say_too_long(const struct work *work, char *error)
{
    g_snprintf(error, TCPWHY_ERROR_TEXT, "took longer than %.10g s: raise --timeout",
               (double)work->most_us / G_USEC_PER_SEC);
}

/* A capture that is not read to its end is a row with the reason. */
static int analyze_in_time(struct turn *turn, tcpwhy_report **report, char *error)
{
    const char *refused = job_refused(turn->job);
    int code;

    if (refused) {
        g_strlcpy(error, refused, TCPWHY_ERROR_TEXT);
        return TCPWHY_ERR_OPEN;
    }
    code = analyze(turn, report, error);
    if (code != TCPWHY_ERR_STOPPED || !turn->too_long)
        return code;
    say_too_long(turn->work, error);
    return TCPWHY_ERR_READ;
}

/* Keep what is analysed, even if the run is to stop. */
static void finish(struct work *work, const struct job *job, gint64 left_bytes,
                   tcpwhy_report *report, const char *error)
{
    progress_add(work->progress, left_bytes, 0, 0);
    writer_put(&work->writer, job, report, error);
}

/* The worker has its job no longer. @return false when it was abandoned with it. */
static bool come_back(struct turn *turn, const struct job **job)
{
    struct work *work = turn->work;
    bool kept;

    pthread_mutex_lock(&work->lock);
    kept = !turn->abandoned;
    *job = turn->job;
    if (kept) {
        work->left_bytes -= turn->job->size_bytes;
        turn->job = NULL;
    }
    pthread_mutex_unlock(&work->lock);
    return kept;
}

static void *run(void *data)
{
    struct turn *turn = data;
    struct work *work = turn->work;

    while (take(work, turn)) {
        char error[TCPWHY_ERROR_TEXT] = "";
        tcpwhy_report *report = NULL;
        int code = analyze_in_time(turn, &report, error);
        const struct job *job;
        bool kept;

        if (code == 0 && work->pictures)
            draw(turn, report);
        kept = come_back(turn, &job);

        if (kept && code != TCPWHY_ERR_STOPPED)
            finish(work, job, job->size_bytes - turn->read_bytes, report, bare(error, job));
        tcpwhy_report_free(report);
        if (!kept)
            break;
    }
    return NULL;
}

static void add_worker(struct work *work)
{
    struct turn *turn = g_new0(struct turn, 1);

    turn->work = work;
    g_ptr_array_add(work->turns, turn);
    thread_start(&turn->thread, run, turn);
}

static bool is_overdue(const struct turn *turn)
{
    return turn->job && !turn->abandoned && turn->work->most_us > 0 &&
           g_get_monotonic_time() - turn->begun_us > turn->work->most_us + GRACE_US;
}

/* Under the lock, which is let go while the row is put. Another worker takes the place. */
static void abandon(struct turn *turn)
{
    struct work *work = turn->work;
    char error[TCPWHY_ERROR_TEXT];

    turn->abandoned = true;
    work->abandoned++;
    work->left_bytes -= turn->job->size_bytes;
    pthread_mutex_unlock(&work->lock);
    say_too_long(work, error);
    finish(work, turn->job, 0, NULL, error);
    pthread_mutex_lock(&work->lock);
    add_worker(work);
}

/* @return false when every worker has ended or was abandoned. */
static bool look_after(struct work *work)
{
    bool more = false;

    for (guint i = 0; i < work->turns->len; i++) {
        struct turn *turn = g_ptr_array_index(work->turns, i);

        if (is_overdue(turn) && !stopped(work))
            abandon(turn);
        more = more || !(turn->ended || turn->abandoned);
    }
    return more;
}

static void wait_for_workers(struct work *work)
{
    pthread_mutex_lock(&work->lock);
    while (look_after(work)) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&work->changed, &work->lock, &until);
    }
    pthread_mutex_unlock(&work->lock);
    for (guint i = 0; i < work->turns->len; i++) {
        const struct turn *turn = g_ptr_array_index(work->turns, i);

        if (!turn->abandoned)
            pthread_join(turn->thread, NULL);
    }
}

bool work_run(struct work *work)
{
    bool written;

    pthread_mutex_init(&work->lock, NULL);
    pthread_cond_init(&work->changed, NULL);
    work->writer = (struct writer) { .archive = work->archive,
                                     .progress = work->progress,
                                     /* Arrays that grow by doubling need twice that. */
                                     .most_bytes = memory_share(work) / 4 };
    writer_start(&work->writer);
    work->turns = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < work->jobs->len; i++)
        work->left_bytes += ((const struct job *)g_ptr_array_index(work->jobs, i))->size_bytes;
    pthread_mutex_lock(&work->lock);
    for (unsigned i = 0; i < work->workers; i++)
        add_worker(work);
    pthread_mutex_unlock(&work->lock);
    wait_for_workers(work);
    written = writer_finish(&work->writer);
    if (work->abandoned == 0) {
        g_ptr_array_free(work->turns, TRUE);
        pthread_cond_destroy(&work->changed);
        pthread_mutex_destroy(&work->lock);
    }
    return written && !*work->stop;
}
