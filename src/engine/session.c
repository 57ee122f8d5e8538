/* SPDX-License-Identifier: MIT */
/*
 * Public functions: a whole file, a buffer, or packet by packet.
 */
#include <string.h>

#include <glib.h>

#include "app/tls_keys.h"
#include "base/options.h"
#include "engine/prefetch.h"
#include "engine/engine.h"
#include "engine/options.h"

struct tcpwhy_session {
    struct tw_engine *engine;
    struct tw_tls_keys *keys;
    uint32_t frames;
};

static void say(char *error, const char *file, const char *text)
{
    if (error)
        g_snprintf(error, TCPWHY_ERROR_TEXT, "%s%s%s", file, *file ? ": " : "", text);
}

/* Interval of on_progress in frames: milliseconds at full speed. */
#define PROGRESS_FRAMES 16384

/* @return false if the callback asked to stop. */
static bool tell_progress(const struct tcpwhy_options *options, const struct tw_source *source)
{
    uint64_t done, total;

    if (!options->on_progress)
        return true;
    tw_source_progress(source, &done, &total);
    return options->on_progress(options->user, done, total);
}

/* State of an analysis. */
struct job {
    struct tw_tls_keys *keys;
    const char *file; /* name in the report and in errors */
    struct tcpwhy_options options;
    struct tw_source_options how;
    struct tw_source *source; /* or NULL, with error */
    struct tw_source_error why;
};

/* pcapng: "TLSK", the format of a key log. */
#define SECRETS_TLS 0x544c534bu

static void take_secrets(void *user, uint32_t type, struct tw_bytes secrets)
{
    if (type == SECRETS_TLS)
        tw_tls_keys_add(user, secrets);
}

static bool begin(struct job *job, const struct tcpwhy_options *options, char *error)
{
    *job = (struct job) { .file = "" };
    if (!tw_options_take(&job->options, options, error))
        return false;
    job->how.filter = job->options.filter;
    job->how.threads = job->options.threads ? job->options.threads : g_get_num_processors();
    if (job->how.threads > 1)
        job->how.ahead = tw_read_ahead_new();
    job->keys = tw_tls_keys_new();
    job->how.on_secrets = take_secrets;
    job->how.secrets_user = job->keys;
    if (job->options.keys)
        tw_tls_keys_add(job->keys,
                        tw_bytes((const uint8_t *)job->options.keys, strlen(job->options.keys)));
    return true;
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
            (since_told >= PROGRESS_FRAMES && !tell_progress(&job->options, job->source)))
            return TCPWHY_ERR_STOPPED;
        since_told %= PROGRESS_FRAMES;
    }
    return n == 0 && !tell_progress(&job->options, job->source) ? TCPWHY_ERR_STOPPED : n;
}

/* Run the opened source to its end. */
static int analyze(const struct job *job, tcpwhy_report **out, char *error)
{
    struct tw_engine *engine = tw_engine_new(&job->options, error);
    int status = TCPWHY_ERR_ARGUMENT;

    if (engine) {
        tcpwhy_report *report = NULL;

        tw_engine_use_keys(engine, job->keys);
        status = read_all(job, engine);
        if (status == 0) {
            report = tw_engine_finish(engine, job->file, job->source);
            status = report ? 0 : TCPWHY_ERR_STOPPED;
        }
        if (report)
            *out = report;
        else if (status == TCPWHY_ERR_STOPPED)
            say(error, job->file, "stopped by the caller");
        else
            say(error, job->file,
                "the operating system refused to read on: check the disk or the pipe");
    }
    tw_engine_free(engine);
    return status;
}

/* Cleans up, whether the source could be opened or not. */
static int finish(struct job *job, tcpwhy_report **out, char *error)
{
    int status = job->why.code;

    if (job->source)
        status = analyze(job, out, error);
    else
        say(error, job->file, job->why.text);
    tw_source_close(job->source);
    tw_read_ahead_free(job->how.ahead);
    tw_tls_keys_free(job->keys);
    return status;
}

int tcpwhy_analyze_file(const char *path, const struct tcpwhy_options *options, tcpwhy_report **out,
                        char *error)
{
    struct job job;

    if (!begin(&job, options, error))
        return TCPWHY_ERR_ARGUMENT;
    job.file = path;
    job.source = tw_source_open(path, &job.how, &job.why);
    return finish(&job, out, error);
}

int tcpwhy_analyze_files(const char *const *paths, size_t n, const struct tcpwhy_options *options,
                         tcpwhy_report **out, char *error)
{
    struct job job;

    if (n == 0) {
        say(error, "", "no file is named");
        return TCPWHY_ERR_ARGUMENT;
    }
    if (!begin(&job, options, error))
        return TCPWHY_ERR_ARGUMENT;
    job.source = tw_source_open_chain(paths, n, &job.how, &job.why);
    job.file = paths[job.source ? 0 : n - 1];
    return finish(&job, out, error);
}

int tcpwhy_analyze_memory(const uint8_t *bytes, size_t len, const struct tcpwhy_options *options,
                          tcpwhy_report **out, char *error)
{
    struct job job;

    if (!begin(&job, options, error))
        return TCPWHY_ERR_ARGUMENT;
    job.source = tw_source_open_memory(tw_bytes(bytes, len), &job.how, &job.why);
    return finish(&job, out, error);
}

int tcpwhy_session_new(const struct tcpwhy_options *options, tcpwhy_session **out, char *error)
{
    struct tcpwhy_options own;
    struct tw_engine *engine;

    if (!tw_options_take(&own, options, error))
        return TCPWHY_ERR_ARGUMENT;
    if (own.filter) {
        say(error, "", "a session takes no filter: push only the packets you want");
        return TCPWHY_ERR_ARGUMENT;
    }
    engine = tw_engine_new(&own, error);
    if (!engine)
        return TCPWHY_ERR_ARGUMENT;
    *out = g_new0(tcpwhy_session, 1);
    (*out)->engine = engine;
    (*out)->keys = tw_tls_keys_new();
    if (own.keys)
        tw_tls_keys_add((*out)->keys, tw_bytes((const uint8_t *)own.keys, strlen(own.keys)));
    tw_engine_use_keys(engine, (*out)->keys);
    return 0;
}

int tcpwhy_session_push(tcpwhy_session *session, const struct tcpwhy_packet *given)
{
    struct tcpwhy_packet packet;
    struct tw_frame frame;

    if (!tw_options_copy(&packet, sizeof packet, given))
        return TCPWHY_ERR_ARGUMENT;
    frame = (struct tw_frame) {
        .number = ++session->frames,
        .link_type = packet.link_type,
        .time_ns = packet.time_ns,
        .original_len = packet.original_len,
        .bytes = tw_bytes(packet.bytes, packet.captured_len),
    };
    return tw_engine_push(session->engine, &frame) ? 0 : TCPWHY_ERR_STOPPED;
}

void tcpwhy_session_dropped(tcpwhy_session *session, uint64_t packets)
{
    tw_engine_dropped(session->engine, packets);
}

int tcpwhy_session_snapshot(tcpwhy_session *session, tcpwhy_report **out)
{
    *out = tw_engine_snapshot(session->engine);
    return 0;
}

int tcpwhy_session_finish(tcpwhy_session *session, tcpwhy_report **out)
{
    tcpwhy_report *report = tw_engine_finish(session->engine, "", NULL);

    if (report)
        *out = report;
    tcpwhy_session_free(session);
    return report ? 0 : TCPWHY_ERR_STOPPED;
}

void tcpwhy_session_free(tcpwhy_session *session)
{
    if (!session)
        return;
    tw_engine_free(session->engine);
    tw_tls_keys_free(session->keys);
    g_free(session);
}

const char *tcpwhy_version(void)
{
    return TCPWHY_VERSION;
}
