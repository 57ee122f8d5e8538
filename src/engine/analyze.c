/* SPDX-License-Identifier: MIT */
/* Public functions that read a capture to its end: a file, several, or a buffer. */
#include <glib.h>

#include "app/tls_keys.h"
#include "base/errors.h"
#include "base/memory.h"
#include "engine/prefetch.h"
#include "engine/engine.h"
#include "engine/options.h"

/* Interval of on_progress in frames: milliseconds at full speed. */
#define PROGRESS_FRAMES 16384

/* @return false if the callback asked to stop. */
static bool tell_progress(const struct tcpwhy_callbacks *callbacks, const struct tw_source *source)
{
    uint64_t done, total;

    if (!callbacks->on_progress)
        return true;
    tw_source_progress(source, &done, &total);
    return callbacks->on_progress(callbacks->user, done, total);
}

/* State of an analysis. */
struct job {
    const char *const *paths; /* NULL: bytes are read */
    size_t n;
    bool chained;
    struct tw_bytes bytes;
    const char *file; /* name in the report and in errors */
    struct tcpwhy_options options;
    struct tcpwhy_callbacks callbacks;
    struct tw_tls_keys *keys;
    struct tw_source_options how;
    struct tw_source *source;
    struct tw_engine *engine;
    struct tw_source_error why;
    tcpwhy_report *report; /* of a run that succeeded */
};

/* pcapng: "TLSK", the format of a key log. */
#define SECRETS_TLS 0x544c534bu

static void take_secrets(void *user, uint32_t type, struct tw_bytes secrets)
{
    if (type == SECRETS_TLS)
        tw_tls_keys_add(user, secrets);
}

static void take_rejected(void *user, const struct tw_frame *frame)
{
    const struct job *job = user;

    if (job->engine)
        tw_engine_reject(job->engine, frame);
}

/* @return false with job->why filled. */
static bool open_job(struct job *job)
{
    job->how.filter = job->options.filter;
    job->how.unpack_max = job->options.unpack_bytes;
    job->how.threads = job->options.threads ? job->options.threads : g_get_num_processors();
    if (job->how.threads > 1)
        job->how.ahead = tw_read_ahead_new();
    job->keys = tw_tls_keys_of(job->options.keys);
    job->how.on_secrets = take_secrets;
    job->how.secrets_user = job->keys;
    job->how.on_rejected = take_rejected;
    job->how.rejected_user = job;
    if (!job->paths)
        job->source = tw_source_open_memory(job->bytes, &job->how, &job->why);
    else if (job->chained)
        job->source = tw_source_open_chain(job->paths, job->n, &job->how, &job->why);
    else
        job->source = tw_source_open(job->paths[0], &job->how, &job->why);
    if (!job->source && job->paths)
        job->file = job->paths[job->n - 1];
    return job->source != NULL;
}

static int read_all(const struct job *job, struct tw_engine *engine)
{
    struct tw_frame frames[TW_PREFETCH_MAX];
    uint32_t since_told = 0;
    int n;

    while ((n = tw_source_next_some(job->source, frames, TW_PREFETCH_MAX)) > 0) {
        if (tw_read_ahead_asks(job->how.ahead))
            tw_engine_read_on(engine, job->how.ahead);
        since_told += (uint32_t)n;
        if (!tw_engine_push_some(engine, frames, (unsigned)n) ||
            (since_told >= PROGRESS_FRAMES && !tell_progress(&job->callbacks, job->source)))
            return TCPWHY_ERR_STOPPED;
        since_told %= PROGRESS_FRAMES;
    }
    return n == 0 && !tell_progress(&job->callbacks, job->source) ? TCPWHY_ERR_STOPPED : n;
}

/* Run the opened source to its end. @return 0 or an error, with job->why filled. */
static int run(struct job *job)
{
    struct tw_engine *engine = tw_engine_new(&job->options, &job->why);
    int status = job->why.code;

    if (!engine)
        return status;
    job->engine = engine;
    tw_engine_use_keys(engine, job->keys);
    status = read_all(job, engine);
    if (status == 0) {
        job->report = tw_engine_finish(engine, job->file, job->source);
        status = job->report ? 0 : TCPWHY_ERR_STOPPED;
    }
    if (status != 0)
        tw_source_refuse(&job->why, status, "%s", tcpwhy_strerror(status));
    job->engine = NULL;
    tw_engine_free(engine);
    return status;
}

static int open_and_run(struct job *job)
{
    int status = open_job(job) ? run(job) : job->why.code;

    tw_source_close(job->source);
    tw_read_ahead_free(job->how.ahead);
    tw_tls_keys_free(job->keys);
    return status;
}

static int analyze(struct job *job, const struct tcpwhy_options *options, tcpwhy_report **out,
                   char *error, size_t error_size)
{
    struct tw_guard guard;
    int status;

    if (!out)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    if (!tw_options_take(&job->options, &job->callbacks, options, &job->why))
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, "", job->why.text);
    job->file = job->paths ? job->paths[0] : "";
    if (TW_FAILED(guard))
        return tw_error_tell(error, error_size, TCPWHY_ERR_MEMORY, job->file, NULL);
    tw_call_begin(&guard);
    status = open_and_run(job);
    tw_call_end(&guard);
    if (status != 0)
        return tw_error_tell(error, error_size, status, job->file, job->why.text);
    *out = job->report;
    return 0;
}

int tcpwhy_analyze_file(const char *path, const struct tcpwhy_options *options, tcpwhy_report **out,
                        char *error, size_t error_size)
{
    struct job job = { .paths = &path, .n = 1 };

    if (!path)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    return analyze(&job, options, out, error, error_size);
}

int tcpwhy_analyze_files(const char *const *paths, size_t n, const struct tcpwhy_options *options,
                         tcpwhy_report **out, char *error, size_t error_size)
{
    struct job job = { .paths = paths, .n = n, .chained = true };

    if (n == 0)
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, "", "no file is named");
    for (size_t i = 0; i < n; i++)
        if (!paths || !paths[i])
            return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    return analyze(&job, options, out, error, error_size);
}

int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len, const struct tcpwhy_options *options,
                          tcpwhy_report **out, char *error, size_t error_size)
{
    struct job job = { .bytes = tw_bytes(bytes, len) };

    if (!bytes && len > 0)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    return analyze(&job, options, out, error, error_size);
}
