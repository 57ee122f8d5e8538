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

void tw_connection_job_run(struct tw_connection_job *job, const struct tcpwhy_options *options,
                           struct tw_connection_findings *alone)
{
    const struct tw_ended *e = &job->ended;
    struct tw_exchanges exchanges;
    struct tw_explanation explanation;
    struct tw_connection_result result = { e->connection, e->log, &exchanges, &explanation };

    if (G_UNLIKELY(tw_capture_points_suspected(e->connection, e->log)))
        tw_capture_points_settle(e->connection, e->log);
    tw_exchanges_build(e->log, &e->app, &exchanges);
    tw_explain(e->connection, e->log, &exchanges, tw_connection_findings_explainer(alone),
               &explanation);
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

void tw_connection_job_so_far(const struct tcpwhy_options *options, struct tw_builder *builder,
                              const struct tw_ended *so_far)
{
    struct tw_connection_findings *alone = tw_connection_job_alone(options);
    bool settles = tw_capture_points_suspected(so_far->connection, so_far->log);
    struct tw_connection_job job;

    job.ended = *so_far;
    if (options->keep_spans || settles)
        job.ended.log = tw_log_copy(so_far->log);
    if (settles)
        job.ended.connection = tw_connection_copy(so_far->connection);
    tw_connection_job_run(&job, options, alone);
    tw_connection_job_deliver(&job, builder);
    tw_connection_job_clear(&job);
    if (options->keep_spans || settles)
        tw_log_free(job.ended.log);
    if (settles)
        tw_connection_free(job.ended.connection);
    tw_connection_findings_free(alone);
}
