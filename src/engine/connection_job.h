/* SPDX-License-Identifier: MIT */
/*
 * What one connection has to tell: found out alone, by whichever thread has time, and then told to
 * the builder.
 */
#ifndef TW_ENGINE_CONNECTION_JOB_H
#define TW_ENGINE_CONNECTION_JOB_H

#include "app/app.h"
#include "report/build.h"

/* All that is known of a connection that is over. */
struct tw_ended {
    struct tw_connection *connection;
    struct tw_log *log;
    struct tw_app app;
    guint listener;
};

/* What follows its end is set by tw_connection_job_run(). */
struct tw_connection_job {
    struct tw_ended ended;
    struct tw_connection_row told;
};

/* What a thread finds out tales in. Freed by tw_connection_findings_free(). */
struct tw_connection_findings *tw_connection_job_alone(const struct tcpwhy_options *options);

void tw_connection_job_run(struct tw_connection_job *job, const struct tcpwhy_options *options,
                           struct tw_connection_findings *alone);

/* @return false when a callback asked to stop. */
bool tw_connection_job_deliver(struct tw_connection_job *job, struct tw_builder *builder);

/* Free what was found out, or the connection itself. */
void tw_connection_job_clear(struct tw_connection_job *job);
void tw_ended_clear(struct tw_ended *ended);

/* Tell what a connection has to say so far, which stays the caller's. */
void tw_connection_job_so_far(const struct tcpwhy_options *options, struct tw_builder *builder,
                              const struct tw_ended *so_far);

#endif
