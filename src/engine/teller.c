/* SPDX-License-Identifier: MIT */
#include "engine/teller.h"

#include "explain/explain.h"

struct tw_teller {
    const struct tcpwhy_options *options;
    struct tw_builder *builder;
    struct tw_alone *alone;
    bool stopped;
};

struct tw_teller *tw_teller_new(const struct tcpwhy_options *options, struct tw_builder *builder)
{
    struct tw_teller *teller = g_new0(struct tw_teller, 1);

    teller->options = options;
    teller->builder = builder;
    teller->alone = tw_alone_new();
    return teller;
}

void tw_teller_free(struct tw_teller *teller)
{
    if (!teller)
        return;
    tw_alone_free(teller->alone);
    g_free(teller);
}

/* A connection on its way to the report. */
struct job {
    struct tw_ended ended;
    struct tw_explanation explanation;
    struct tw_told told;
};

static void work(struct job *job, const struct tcpwhy_options *options, struct tw_alone *alone,
                 struct tw_exchanges *exchanges)
{
    const struct tw_ended *e = &job->ended;
    struct tw_story story = { e->connection, e->log, exchanges, &job->explanation };

    tw_explain(e->connection, e->log, exchanges, &job->explanation);
    tw_told_make(&job->told, &story, options, alone);
    tw_exchanges_clear(exchanges);
}

static bool tell(struct job *job, struct tw_builder *builder)
{
    bool goes_on = tw_builder_tell(builder, job->ended.listener, &job->told);

    job->ended.log = job->told.log;
    tw_told_clear(&job->told);
    tw_explanation_clear(&job->explanation);
    return goes_on;
}

bool tw_teller_tell(struct tw_teller *teller, const struct tw_ended *ended)
{
    struct job job = { .ended = *ended };
    struct tw_exchanges exchanges;

    if (!teller->stopped) {
        tw_exchanges_build(ended->log, ended->app, &exchanges);
        work(&job, teller->options, teller->alone, &exchanges);
        teller->stopped = !tell(&job, teller->builder);
    }
    tw_connection_free(job.ended.connection);
    tw_log_free(job.ended.log);
    tw_app_free(job.ended.app);
    return !teller->stopped;
}

void tw_teller_peek(const struct tcpwhy_options *options, struct tw_builder *builder,
                    const struct tw_ended *so_far)
{
    struct job job = { .ended = *so_far };
    struct tw_alone *alone = tw_alone_new();
    struct tw_exchanges exchanges;

    if (options->keep_spans)
        job.ended.log = tw_log_copy(so_far->log);
    tw_exchanges_peek(so_far->log, so_far->app, &exchanges);
    work(&job, options, alone, &exchanges);
    tell(&job, builder);
    if (options->keep_spans)
        tw_log_free(job.ended.log);
    tw_alone_free(alone);
}
