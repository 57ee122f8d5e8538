/* SPDX-License-Identifier: MIT */
/*
 * Analysis of one connection: computed independently on any thread, then passed to the builder.
 */
#ifndef TW_ENGINE_CONNECTION_JOB_H
#define TW_ENGINE_CONNECTION_JOB_H

#include "app/app.h"
#include "explain/explanation.h"
#include "report/build.h"

/* Input: an ended connection. */
struct tw_ended {
    struct tw_connection *connection;
    struct tw_log *log;
    struct tw_app app;
    guint listener;
};

/* Output, set by tw_connection_job_run(). */
struct tw_connection_job {
    struct tw_ended ended;
    struct tw_connection_row told;
};

/* Working memory of a thread. Freed by tw_connection_findings_free(). */
struct tw_connection_findings *tw_connection_job_alone(const struct tcpwhy_options *options);

void tw_connection_job_run(struct tw_connection_job *job, const struct tcpwhy_options *options,
                           struct tw_connection_findings *alone);

/* @return false if a callback asked to stop. */
bool tw_connection_job_deliver(struct tw_connection_job *job, struct tw_builder *builder);

/* Free the results, or the connection itself. */
void tw_connection_job_clear(struct tw_connection_job *job);
void tw_ended_clear(struct tw_ended *ended);

/* Explain an open connection so far, which stays the caller's. @return what take returned. */
bool tw_connection_job_spans(const struct tcpwhy_options *options, const struct tw_ended *so_far,
                             bool (*take)(void *user, const struct tw_ended *ended,
                                          const struct tw_explanation *explanation),
                             void *user);

/* Report the current state of an open connection, which stays the caller's. */
void tw_connection_job_so_far(const struct tcpwhy_options *options, struct tw_builder *builder,
                              const struct tw_ended *so_far);

#endif
