/* SPDX-License-Identifier: MIT */
/*
 * Reads the capture twice: to analyse it, and to write it. For an excerpt once more in between, to
 * select frames, as findings are complete only at the end.
 */
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "annotate/copy.h"
#include "base/errors.h"
#include "base/options.h"
#include "base/text.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "report/report_rows.h"

#define DEFAULT_WAITS            50
#define DEFAULT_EXCERPT_WAITS    10
#define DEFAULT_EXCERPT_FINDINGS 20
#define DEFAULT_AROUND           20

/* A stream number that never occurs: nothing has to be kept for the others. */
#define NO_STREAM "4294967295"

struct job {
    const char *path;
    int fd;
    struct tcpwhy_options options;
    struct tcpwhy_annotate_options how;
    tcpwhy_report *report;
    struct tw_excerpt *excerpt;
    struct tw_source_error why;
};

static int fail(struct job *job, int code, const char *text)
{
    job->why.code = code;
    g_strlcpy(job->why.text, text, sizeof job->why.text);
    return code;
}

/* Feed the whole file into an engine. @return 0 or an error. */
static int read_through(struct job *job, struct tw_engine *engine, struct tw_source **out)
{
    struct tw_source_options how = { .filter = job->options.filter };
    struct tw_source *source;
    struct tw_frame frame;
    int more;

    if (lseek(job->fd, 0, SEEK_SET) < 0)
        return fail(job, TCPWHY_ERR_READ, "cannot be read from its beginning again");
    source = tw_source_open_fd(job->fd, &how, &job->why);
    if (!source)
        return job->why.code;
    while ((more = tw_source_next(source, &frame)) > 0)
        tw_engine_push(engine, &frame);
    *out = source;
    return more < 0 ? fail(job, more, "the operating system refused to read on: check the disk")
                    : 0;
}

static int analyze(struct job *job)
{
    struct tw_engine *engine = tw_engine_new(&job->options, &job->why);
    char *name = tw_path_get_basename(job->path);
    struct tw_source *source = NULL;
    int status = TCPWHY_ERR_ARGUMENT;

    if (engine)
        status = read_through(job, engine, &source);
    if (status == 0)
        job->report = tw_engine_finish(engine, name, source);
    tw_source_close(source);
    tw_engine_free(engine);
    tw_free(name);
    return status;
}

static void watch(void *user, uint32_t stream, uint32_t frame)
{
    tw_excerpt_push(user, stream, frame);
}

static int choose_frames(struct job *job)
{
    struct tcpwhy_options options = { .streams = NO_STREAM };
    struct tw_engine *engine = tw_engine_new(&options, &job->why);
    struct tw_source *source = NULL;
    int status;

    job->excerpt = tw_excerpt_new(job->report, job->how.findings, job->how.around);
    tw_engine_watch(engine, watch, job->excerpt);
    status = read_through(job, engine, &source);
    tw_excerpt_close(job->excerpt);
    tw_source_close(source);
    tw_engine_free(engine);
    return status;
}

static char *describe_excerpt(const struct job *job)
{
    size_t n;

    tw_report_findings(job->report, &n);
    return tw_strdup_printf(
        "An excerpt for %zu of %zu findings: of %zu streams how they began, and up to %u frames "
        "before\nand after each frame that proves a wait. Frame numbers below are those of the "
        "whole capture;\neach frame here tells its own. A diagnosis of this excerpt would be "
        "wrong.",
        MIN(n, job->how.findings), n, tw_excerpt_n_streams(job->excerpt), job->how.around);
}

static int write_copy(struct job *job, tcpwhy_write_fn write, void *user,
                      struct tcpwhy_annotated *done)
{
    char *extra = job->excerpt ? describe_excerpt(job) : tw_strdup("");
    char *summary = tw_notes_summary(job->report, extra);
    struct tw_notes *notes = tw_notes_new(job->report, job->how.findings);
    struct tw_copy copy = { notes, job->excerpt, summary, write, user };
    int status;

    if (lseek(job->fd, 0, SEEK_SET) < 0)
        status = fail(job, TCPWHY_ERR_READ, "cannot be read from its beginning again");
    else
        status = tw_copy_run(&copy, job->fd, done, &job->why);
    tw_notes_free(notes);
    tw_free(summary);
    tw_free(extra);
    return status;
}

/* The caller's options, restricted to those allowed, with our defaults. */
static bool settle(struct job *job, const struct tcpwhy_options *options,
                   const struct tcpwhy_annotate_options *how)
{
    struct tcpwhy_callbacks callbacks;

    if (!tw_options_take(&job->options, &callbacks, options, &job->why))
        return false;
    if (!tw_options_copy(&job->how, sizeof job->how, how))
        return tw_source_refuse(&job->why, TCPWHY_ERR_ARGUMENT,
                                "start from TCPWHY_ANNOTATE_INIT, or update the library");
    if (job->how.waits == 0)
        job->how.waits = job->how.evidence ? DEFAULT_EXCERPT_WAITS : DEFAULT_WAITS;
    if (job->how.findings == 0)
        job->how.findings = job->how.evidence ? DEFAULT_EXCERPT_FINDINGS : UINT32_MAX;
    if (job->how.around == 0)
        job->how.around = DEFAULT_AROUND;
    job->options = (struct tcpwhy_options) { .filter = job->options.filter,
                                             .streams = job->options.streams,
                                             .memory_bytes = job->options.memory_bytes,
                                             .threads = job->options.threads,
                                             .keep_waits = job->how.waits };
    return true;
}

/* @return 0 or an error, with job->why filled unless a callback stopped it. */
static int run(struct job *job, tcpwhy_write_fn write, void *user, struct tcpwhy_annotated *done)
{
    size_t findings;
    int status = analyze(job);

    if (status == 0 && job->how.evidence)
        status = choose_frames(job);
    if (status == 0)
        status = write_copy(job, write, user, done);
    if (status == 0) {
        tw_report_findings(job->report, &findings);
        done->findings = findings;
    }
    tw_excerpt_free(job->excerpt);
    tcpwhy_report_free(job->report);
    return status;
}

static void close_fd(void *fd)
{
    close(*(int *)fd);
}

static int run_guarded(struct job *job, tcpwhy_write_fn write, void *user,
                       struct tcpwhy_annotated *done)
{
    struct tw_guard guard;
    struct tw_undo undo;
    int status;

    if (TW_FAILED(guard))
        return fail(job, TCPWHY_ERR_MEMORY, tcpwhy_strerror(TCPWHY_ERR_MEMORY));
    tw_call_begin(&guard);
    job->fd = tw_source_spool(job->path, &job->why);
    status = job->why.code;
    if (job->fd >= 0) {
        tw_undo_add(&undo, close_fd, &job->fd);
        status = run(job, write, user, done);
        tw_undo_remove(&undo);
        close(job->fd);
    }
    tw_call_end(&guard);
    return status;
}

int tcpwhy_annotate_file(const char *path, const struct tcpwhy_options *options,
                         const struct tcpwhy_annotate_options *how, tcpwhy_write_fn write,
                         void *user, struct tcpwhy_annotated *annotated, char *error,
                         size_t error_size)
{
    struct job job = { .path = path };
    struct tcpwhy_annotated done = { 0 };
    int status;

    if (!path || !write)
        return tw_error_tell(error, error_size, TCPWHY_ERR_USAGE, "", NULL);
    if (!settle(&job, options, how))
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, "", job.why.text);
    if (annotated && !tw_size_is_set(annotated))
        return tw_error_tell(error, error_size, TCPWHY_ERR_ARGUMENT, "",
                             "struct_size of the result is not set");
    status = run_guarded(&job, write, user, &done);
    if (status != 0)
        return tw_error_tell(error, error_size, status, path,
                             status == TCPWHY_ERR_STOPPED ? NULL : job.why.text);
    if (annotated)
        tw_result_copy(annotated, &done, sizeof done);
    return 0;
}
