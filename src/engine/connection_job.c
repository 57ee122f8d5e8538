/* SPDX-License-Identifier: MIT */
#include "engine/connection_job.h"

#include "base/options.h"
#include "explain/explain.h"
#include "log/capture_points.h"

/* Findings of a single connection are only needed for on_finding; its row needs just the
 * verdict. */
struct tw_connection_findings *tw_connection_job_alone(const struct tcpwhy_options *options)
{
    struct tw_connection_findings *alone =
        tw_connection_findings_new(!tw_callbacks(options)->on_finding);
    struct tw_explainer *explainer = tw_connection_findings_explainer(alone);

    explainer->weighs = options->keep_weighings;
    explainer->weigh_frame = options->weigh_frame;
    return alone;
}

static void explain(const struct tw_ended *e, struct tw_connection_findings *alone,
                    struct tw_exchanges *exchanges, struct tw_explanation *explanation)
{
    if (G_UNLIKELY(tw_capture_points_suspected(e->connection, e->log)))
        tw_capture_points_settle(e->connection, e->log);
    tw_exchanges_build(e->log, &e->app, exchanges);
    tw_explain(e->connection, e->log, exchanges, tw_connection_findings_explainer(alone),
               explanation);
}

void tw_connection_job_run(struct tw_connection_job *job, const struct tcpwhy_options *options,
                           struct tw_connection_findings *alone)
{
    const struct tw_ended *e = &job->ended;
    struct tw_exchanges exchanges;
    struct tw_explanation explanation;
    struct tw_connection_result result = { e->connection, e->log, &exchanges, &explanation };

    explain(e, alone, &exchanges, &explanation);
    tw_connection_row_make(&job->told, &result, options, alone);
    tw_explanation_clear(&explanation);
    tw_exchanges_clear(&exchanges);
}

bool tw_connection_job_deliver(struct tw_connection_job *job, struct tw_builder *builder)
{
    return tw_builder_tell(builder, job->ended.listener, &job->told);
}

void tw_connection_job_clear(struct tw_connection_job *job)
{
    tw_connection_row_clear(&job->told);
}

/* The log first: it usually lies in the connection's block. */
void tw_ended_clear(struct tw_ended *ended)
{
    tw_log_free(ended->log);
    tw_app_clear(&ended->app);
    tw_connection_free(ended->connection);
}

/* The job that explains an open connection as it stands; a log whose capture points are to be
 * settled, and one that the report keeps, are copied first. */
struct so_far {
    struct tw_connection_findings *alone;
    struct tw_connection_job job;
    bool own_log, own_connection;
};

static void begin_so_far(struct so_far *s, const struct tcpwhy_options *options,
                         const struct tw_ended *ended, bool keeps_log)
{
    s->alone = tw_connection_job_alone(options);
    s->job.ended = *ended;
    s->own_connection = tw_capture_points_suspected(ended->connection, ended->log);
    s->own_log = keeps_log || s->own_connection;
    if (s->own_log)
        s->job.ended.log = tw_log_copy(ended->log);
    if (s->own_connection)
        s->job.ended.connection = tw_connection_copy(ended->connection);
}

static void end_so_far(struct so_far *s)
{
    if (s->own_log)
        tw_log_free(s->job.ended.log);
    if (s->own_connection)
        tw_connection_free(s->job.ended.connection);
    tw_connection_findings_free(s->alone);
}

void tw_connection_job_so_far(const struct tcpwhy_options *options, struct tw_builder *builder,
                              const struct tw_ended *ended)
{
    struct so_far s;

    begin_so_far(&s, options, ended, options->keep_spans);
    tw_connection_job_run(&s.job, options, s.alone);
    tw_connection_job_deliver(&s.job, builder);
    tw_connection_job_clear(&s.job);
    end_so_far(&s);
}

bool tw_connection_job_spans(const struct tcpwhy_options *options, const struct tw_ended *ended,
                             bool (*take)(void *user, const struct tw_ended *ended,
                                          const struct tw_explanation *explanation),
                             void *user)
{
    struct tw_explanation explanation;
    struct tw_exchanges exchanges;
    struct so_far s;
    bool go_on;

    begin_so_far(&s, options, ended, false);
    explain(&s.job.ended, s.alone, &exchanges, &explanation);
    go_on = take(user, &s.job.ended, &explanation);
    tw_explanation_clear(&explanation);
    tw_exchanges_clear(&exchanges);
    end_so_far(&s);
    return go_on;
}
