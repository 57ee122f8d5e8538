/* SPDX-License-Identifier: MIT */
/*
 * With one thread a connection is told at once. With more, batches of them go to workers, who find
 * out what each has to tell; the thread that reads takes the batches back in order, so that what
 * comes out is the same, and lends a hand where it would wait. In return they read on in the file.
 * POSIX threads and not GLib's: the thread sanitizer sees through these.
 */
#include "engine/teller.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "engine/ahead.h"
#include "explain/explain.h"

/* A batch is worth waking somebody up for. */
#define BATCH_JOBS    64
#define BATCH_RECORDS 8192

/* More workers have nothing to do: reading is not that fast. */
#define MOST_WORKERS 16

/* Batches on their way, for each worker: several large connections may end together, and while
 * their worker catches up the thread that reads had better read. */
#define BATCHES_AHEAD 12

/* Of the memory bound, for what is on its way; and records that only one may explain at a time. */
#define SHARE_AHEAD 16
#define BIG_RECORDS 65536

/* A connection on its way to the report; what follows its end is set when it is done. */
struct job {
    struct tw_ended ended;
    struct tw_explanation explanation;
    struct tw_told told;
};

struct batch {
    unsigned n;
    size_t records, bytes;
    bool done;
    bool at_home; /* by the thread that reads */
    struct batch *next, *next_to_do;
    struct job job[BATCH_JOBS];
};

/* A queue of batches, linked by next_to_do. */
struct queue {
    struct batch *first, *last;
};

struct tw_teller {
    const struct tcpwhy_options *options;
    struct tw_builder *builder;
    struct tw_alone *alone;               /* of the thread that reads */
    struct batch *filling, *first, *last; /* first to last: handed over, in order */
    unsigned n_ahead;
    size_t bytes_ahead;
    bool stopped;
    unsigned most_workers, n_workers;
    pthread_t worker[MOST_WORKERS];
    pthread_mutex_t lock, big; /* lock: of what follows; big: held while explaining much */
    pthread_cond_t has_work, has_done;
    struct queue to_do;
    struct queue to_clear; /* told: what the workers allocated they free, or malloc() has two
                              threads wait for each other all the time */
    struct tw_read_ahead *to_read; /* somebody is to read on, or NULL */
    bool quits;
};

/* A connection's own findings are for who listens; its row has the verdict of them. */
static struct tw_alone *new_alone(const struct tcpwhy_options *options)
{
    return tw_alone_new(!options->on_finding);
}

struct tw_teller *tw_teller_new(const struct tcpwhy_options *options, struct tw_builder *builder)
{
    struct tw_teller *teller = g_new0(struct tw_teller, 1);
    unsigned threads = options->threads ? options->threads : g_get_num_processors();

    teller->options = options;
    teller->builder = builder;
    teller->alone = new_alone(options);
    /* Who listens wants to hear of a connection when it ends, not when a batch is full. */
    if (!options->on_stream && !options->on_finding)
        teller->most_workers = MIN(threads - 1, MOST_WORKERS);
    pthread_mutex_init(&teller->lock, NULL);
    pthread_mutex_init(&teller->big, NULL);
    pthread_cond_init(&teller->has_work, NULL);
    pthread_cond_init(&teller->has_done, NULL);
    return teller;
}

bool tw_teller_is_alone(const struct tw_teller *teller)
{
    return teller->most_workers == 0;
}

/* ---- one connection -------------------------------------------------------------------------- */

static void do_job(struct job *job, const struct tcpwhy_options *options, struct tw_alone *alone)
{
    const struct tw_ended *e = &job->ended;
    struct tw_exchanges exchanges;
    struct tw_story story = { e->connection, e->log, &exchanges, &job->explanation };

    tw_exchanges_build(e->log, &e->app, &exchanges);
    tw_explain(e->connection, e->log, &exchanges, tw_alone_explainer(alone), &job->explanation);
    tw_told_make(&job->told, &story, options, alone);
    tw_exchanges_clear(&exchanges);
}

static bool tell(struct job *job, struct tw_builder *builder)
{
    return tw_builder_tell(builder, job->ended.listener, &job->told);
}

static void clear_told(struct job *job)
{
    tw_told_clear(&job->told);
    tw_explanation_clear(&job->explanation);
}

/* The log lies in the connection's block, as a rule. */
static void clear_ended(struct tw_ended *ended)
{
    tw_log_free(ended->log);
    tw_app_clear(&ended->app);
    tw_connection_free(ended->connection);
}

static void finish_job(struct tw_teller *teller, struct job *job)
{
    if (!teller->stopped)
        teller->stopped = !tell(job, teller->builder);
    clear_ended(&job->ended);
}

/* ---- batches --------------------------------------------------------------------------------- */

static void put(struct queue *queue, struct batch *batch)
{
    batch->next_to_do = NULL;
    if (queue->last)
        queue->last->next_to_do = batch;
    else
        queue->first = batch;
    queue->last = batch;
}

static struct batch *take(struct queue *queue)
{
    struct batch *batch = queue->first;

    if (batch)
        queue->first = batch->next_to_do;
    if (!queue->first)
        queue->last = NULL;
    return batch;
}

/* Another thread wrote it. */
static void fetch_job(const struct job *job)
{
    tw_ahead_fetch_ended(job->ended.connection);
    tw_ahead_fetch_story(job->ended.log, &job->ended.app);
}

static void do_batch(struct tw_teller *teller, struct batch *batch, struct tw_alone *alone)
{
    bool big = batch->records >= BIG_RECORDS;

    if (big)
        pthread_mutex_lock(&teller->big);
    for (unsigned i = 0; i < batch->n; i++) {
        if (i + 1 < batch->n)
            fetch_job(&batch->job[i + 1]);
        do_job(&batch->job[i], teller->options, alone);
    }
    if (big)
        pthread_mutex_unlock(&teller->big);
    pthread_mutex_lock(&teller->lock);
    batch->done = true;
    pthread_cond_signal(&teller->has_done);
    pthread_mutex_unlock(&teller->lock);
}

static void clear_batch(struct batch *batch)
{
    for (unsigned i = 0; i < batch->n; i++)
        clear_told(&batch->job[i]);
    g_free(batch);
}

static void *run_worker(void *user)
{
    struct tw_teller *teller = user;
    struct tw_alone *alone = new_alone(teller->options);

    for (;;) {
        struct batch *batch, *told;
        struct tw_read_ahead *to_read;

        pthread_mutex_lock(&teller->lock);
        while (!teller->to_do.first && !teller->to_clear.first && !teller->to_read &&
               !teller->quits)
            pthread_cond_wait(&teller->has_work, &teller->lock);
        to_read = teller->to_read;
        teller->to_read = NULL;
        told = take(&teller->to_clear);
        batch = take(&teller->to_do);
        pthread_mutex_unlock(&teller->lock);
        while (to_read && tw_read_ahead_some(to_read))
            ;
        if (told)
            clear_batch(told);
        if (batch)
            do_batch(teller, batch, alone);
        if (!told && !batch && !to_read)
            break;
    }
    tw_alone_free(alone);
    return NULL;
}

static bool is_done(struct tw_teller *teller, const struct batch *batch)
{
    bool done;

    pthread_mutex_lock(&teller->lock);
    done = batch->done;
    pthread_mutex_unlock(&teller->lock);
    return done;
}

/* The first batch is done: take it back. */
static void finish_first(struct tw_teller *teller)
{
    struct batch *batch = teller->first;

    teller->first = batch->next;
    if (!teller->first)
        teller->last = NULL;
    teller->n_ahead--;
    teller->bytes_ahead -= batch->bytes;
    for (unsigned i = 0; i < batch->n; i++)
        finish_job(teller, &batch->job[i]);
    if (batch->at_home) {
        clear_batch(batch);
        return;
    }
    pthread_mutex_lock(&teller->lock);
    put(&teller->to_clear, batch);
    pthread_mutex_unlock(&teller->lock);
}

/* Do what nobody has begun yet, or wait, until the first batch is done. */
static void wait_for_first(struct tw_teller *teller)
{
    while (!is_done(teller, teller->first)) {
        struct batch *batch;

        pthread_mutex_lock(&teller->lock);
        batch = take(&teller->to_do);
        while (!batch && !teller->first->done)
            pthread_cond_wait(&teller->has_done, &teller->lock);
        pthread_mutex_unlock(&teller->lock);
        if (!batch)
            continue;
        batch->at_home = true;
        do_batch(teller, batch, teller->alone);
    }
}

/* As many as there is work for; a small capture needs none. */
static void hire(struct tw_teller *teller, unsigned wanted)
{
    if (teller->n_workers < MIN(wanted, teller->most_workers) &&
        pthread_create(&teller->worker[teller->n_workers], NULL, run_worker, teller) == 0)
        teller->n_workers++;
}

static void hand_over(struct tw_teller *teller)
{
    struct batch *batch = teller->filling;

    teller->filling = NULL;
    teller->n_ahead++;
    teller->bytes_ahead += batch->bytes;
    if (teller->last)
        teller->last->next = batch;
    else
        teller->first = batch;
    teller->last = batch;
    pthread_mutex_lock(&teller->lock);
    put(&teller->to_do, batch);
    pthread_cond_signal(&teller->has_work);
    pthread_mutex_unlock(&teller->lock);
}

static bool is_far_ahead(const struct tw_teller *teller)
{
    return teller->n_ahead > BATCHES_AHEAD * teller->most_workers ||
           teller->bytes_ahead > teller->options->memory_bytes / SHARE_AHEAD;
}

/* All but its jobs begins as zeros. */
static struct batch *new_batch(void)
{
    struct batch *batch = g_new(struct batch, 1);

    memset(batch, 0, offsetof(struct batch, job));
    return batch;
}

static void add_to_batch(struct tw_teller *teller, const struct tw_ended *ended)
{
    struct batch *batch = teller->filling;

    if (!batch)
        batch = teller->filling = new_batch();
    batch->job[batch->n++].ended = *ended;
    batch->records += ended->log->n;
    batch->bytes += tw_log_bytes(ended->log) + tw_connection_bytes(ended->connection);
    if (batch->n < BATCH_JOBS && batch->records < BATCH_RECORDS)
        return;
    hand_over(teller);
    hire(teller, teller->n_ahead);
    while (teller->first && (is_done(teller, teller->first) || is_far_ahead(teller))) {
        wait_for_first(teller);
        finish_first(teller);
    }
}

bool tw_teller_tell(struct tw_teller *teller, const struct tw_ended *ended)
{
    struct job job;

    job.ended = *ended;
    /* Here, where it was allocated, is freed what only reading needs. */
    tw_app_end(&job.ended.app);
    if (!tw_teller_is_alone(teller)) {
        add_to_batch(teller, &job.ended);
        return !teller->stopped;
    }
    do_job(&job, teller->options, teller->alone);
    finish_job(teller, &job);
    clear_told(&job);
    return !teller->stopped;
}

void tw_teller_read_on(struct tw_teller *teller, struct tw_read_ahead *ahead)
{
    hire(teller, 1);
    if (teller->n_workers == 0)
        return;
    pthread_mutex_lock(&teller->lock);
    teller->to_read = ahead;
    pthread_cond_signal(&teller->has_work);
    pthread_mutex_unlock(&teller->lock);
}

bool tw_teller_drain(struct tw_teller *teller)
{
    if (teller->filling)
        hand_over(teller);
    while (teller->first) {
        wait_for_first(teller);
        finish_first(teller);
    }
    return !teller->stopped;
}

void tw_teller_free(struct tw_teller *teller)
{
    if (!teller)
        return;
    teller->stopped = true;
    tw_teller_drain(teller);
    pthread_mutex_lock(&teller->lock);
    teller->quits = true;
    pthread_cond_broadcast(&teller->has_work);
    pthread_mutex_unlock(&teller->lock);
    for (unsigned i = 0; i < teller->n_workers; i++)
        pthread_join(teller->worker[i], NULL);
    pthread_mutex_destroy(&teller->lock);
    pthread_mutex_destroy(&teller->big);
    pthread_cond_destroy(&teller->has_work);
    pthread_cond_destroy(&teller->has_done);
    tw_alone_free(teller->alone);
    g_free(teller);
}

void tw_teller_peek(const struct tcpwhy_options *options, struct tw_builder *builder,
                    const struct tw_ended *so_far)
{
    struct tw_alone *alone = new_alone(options);
    struct job job;

    job.ended = *so_far;
    if (options->keep_spans)
        job.ended.log = tw_log_copy(so_far->log);
    do_job(&job, options, alone);
    tell(&job, builder);
    clear_told(&job);
    if (options->keep_spans)
        tw_log_free(job.ended.log);
    tw_alone_free(alone);
}
