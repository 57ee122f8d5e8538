/* SPDX-License-Identifier: MIT */
/*
 * With one thread a connection is told at once. With more, batches of them go to workers, who find
 * out what each has to tell; the thread that reads takes the batches back in order, so that what
 * comes out is the same, and lends a hand where it would wait. In return they read on in the file.
 * POSIX threads and not GLib's: the thread sanitizer sees through these.
 */
#include "engine/worker_pool.h"

#include <pthread.h>

#include "engine/batch.h"

/* More workers have nothing to do: reading is not that fast. */
#define MOST_WORKERS 16

/* Batches on their way, for each worker: several large connections may end together, and while
 * their worker catches up the thread that reads had better read. */
#define BATCHES_AHEAD 12

/* Of the memory bound, for what is on its way; and records that only one may explain at a time. */
#define SHARE_AHEAD 16
#define BIG_RECORDS 65536

struct tw_worker_pool {
    const struct tcpwhy_options *options;
    struct tw_builder *builder;
    struct tw_connection_findings *alone;    /* of the thread that reads */
    struct tw_batch *filling, *first, *last; /* first to last: handed over, in order */
    unsigned n_ahead;
    size_t bytes_ahead;
    bool stopped;
    unsigned most_workers, n_workers;
    pthread_t worker[MOST_WORKERS];
    pthread_mutex_t lock, big; /* lock: of what follows; big: held while explaining much */
    pthread_cond_t has_work, has_done;
    struct tw_batch_queue to_do;
    /* Told: what the workers allocated they free, or malloc() has two threads wait for each other
     * all the time. */
    struct tw_batch_queue to_clear;
    struct tw_read_ahead *to_read; /* somebody is to read on, or NULL */
    bool quits;
};

struct tw_worker_pool *tw_worker_pool_new(const struct tcpwhy_options *options,
                                          struct tw_builder *builder)
{
    struct tw_worker_pool *teller = g_new0(struct tw_worker_pool, 1);
    unsigned threads = options->threads ? options->threads : g_get_num_processors();

    teller->options = options;
    teller->builder = builder;
    teller->alone = tw_connection_job_alone(options);
    /* Who listens wants to hear of a connection when it ends, not when a batch is full. */
    if (!options->on_stream && !options->on_finding)
        teller->most_workers = MIN(threads - 1, MOST_WORKERS);
    pthread_mutex_init(&teller->lock, NULL);
    pthread_mutex_init(&teller->big, NULL);
    pthread_cond_init(&teller->has_work, NULL);
    pthread_cond_init(&teller->has_done, NULL);
    return teller;
}

bool tw_worker_pool_is_alone(const struct tw_worker_pool *teller)
{
    return teller->most_workers == 0;
}

static void tell(struct tw_worker_pool *teller, struct tw_connection_job *tale)
{
    if (!teller->stopped)
        teller->stopped = !tw_connection_job_deliver(tale, teller->builder);
    tw_ended_clear(&tale->ended);
}

static void do_batch(struct tw_worker_pool *teller, struct tw_batch *batch,
                     struct tw_connection_findings *alone)
{
    bool big = batch->records >= BIG_RECORDS;

    if (big)
        pthread_mutex_lock(&teller->big);
    tw_batch_find_out(batch, teller->options, alone);
    if (big)
        pthread_mutex_unlock(&teller->big);
    pthread_mutex_lock(&teller->lock);
    batch->done = true;
    pthread_cond_signal(&teller->has_done);
    pthread_mutex_unlock(&teller->lock);
}

static void *run_worker(void *user)
{
    struct tw_worker_pool *teller = user;
    struct tw_connection_findings *alone = tw_connection_job_alone(teller->options);

    for (;;) {
        struct tw_batch *batch, *told;
        struct tw_read_ahead *to_read;

        pthread_mutex_lock(&teller->lock);
        while (!teller->to_do.first && !teller->to_clear.first && !teller->to_read &&
               !teller->quits)
            pthread_cond_wait(&teller->has_work, &teller->lock);
        to_read = teller->to_read;
        teller->to_read = NULL;
        told = tw_batch_take(&teller->to_clear);
        batch = tw_batch_take(&teller->to_do);
        pthread_mutex_unlock(&teller->lock);
        while (to_read && tw_read_ahead_some(to_read))
            ;
        if (told)
            tw_batch_free(told);
        if (batch)
            do_batch(teller, batch, alone);
        if (!told && !batch && !to_read)
            break;
    }
    tw_connection_findings_free(alone);
    return NULL;
}

static bool is_done(struct tw_worker_pool *teller, const struct tw_batch *batch)
{
    bool done;

    pthread_mutex_lock(&teller->lock);
    done = batch->done;
    pthread_mutex_unlock(&teller->lock);
    return done;
}

/* The first batch is done: take it back. */
static void finish_first(struct tw_worker_pool *teller)
{
    struct tw_batch *batch = teller->first;

    teller->first = batch->next;
    if (!teller->first)
        teller->last = NULL;
    teller->n_ahead--;
    teller->bytes_ahead -= batch->bytes;
    for (unsigned i = 0; i < batch->n; i++)
        tell(teller, &batch->tale[i]);
    if (batch->at_home) {
        tw_batch_free(batch);
        return;
    }
    pthread_mutex_lock(&teller->lock);
    tw_batch_put(&teller->to_clear, batch);
    pthread_mutex_unlock(&teller->lock);
}

/* Do what nobody has begun yet, or wait, until the first batch is done. */
static void wait_for_first(struct tw_worker_pool *teller)
{
    while (!is_done(teller, teller->first)) {
        struct tw_batch *batch;

        pthread_mutex_lock(&teller->lock);
        batch = tw_batch_take(&teller->to_do);
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
static void hire(struct tw_worker_pool *teller, unsigned wanted)
{
    if (teller->n_workers < MIN(wanted, teller->most_workers) &&
        pthread_create(&teller->worker[teller->n_workers], NULL, run_worker, teller) == 0)
        teller->n_workers++;
}

static void hand_over(struct tw_worker_pool *teller)
{
    struct tw_batch *batch = teller->filling;

    teller->filling = NULL;
    teller->n_ahead++;
    teller->bytes_ahead += batch->bytes;
    if (teller->last)
        teller->last->next = batch;
    else
        teller->first = batch;
    teller->last = batch;
    pthread_mutex_lock(&teller->lock);
    tw_batch_put(&teller->to_do, batch);
    pthread_cond_signal(&teller->has_work);
    pthread_mutex_unlock(&teller->lock);
}

static bool is_far_ahead(const struct tw_worker_pool *teller)
{
    return teller->n_ahead > BATCHES_AHEAD * teller->most_workers ||
           teller->bytes_ahead > teller->options->memory_bytes / SHARE_AHEAD;
}

static void add_to_batch(struct tw_worker_pool *teller, const struct tw_ended *ended)
{
    if (!teller->filling)
        teller->filling = tw_batch_new();
    tw_batch_add(teller->filling, ended);
    if (!tw_batch_is_full(teller->filling))
        return;
    hand_over(teller);
    hire(teller, teller->n_ahead);
    while (teller->first && (is_done(teller, teller->first) || is_far_ahead(teller))) {
        wait_for_first(teller);
        finish_first(teller);
    }
}

bool tw_worker_pool_submit(struct tw_worker_pool *teller, const struct tw_ended *ended)
{
    struct tw_connection_job tale;

    tale.ended = *ended;
    /* Here, where it was allocated, is freed what only reading needs. */
    tw_app_end(&tale.ended.app);
    if (!tw_worker_pool_is_alone(teller)) {
        add_to_batch(teller, &tale.ended);
        return !teller->stopped;
    }
    tw_connection_job_run(&tale, teller->options, teller->alone);
    tell(teller, &tale);
    tw_connection_job_clear(&tale);
    return !teller->stopped;
}

void tw_worker_pool_read_on(struct tw_worker_pool *teller, struct tw_read_ahead *ahead)
{
    hire(teller, 1);
    if (teller->n_workers == 0)
        return;
    pthread_mutex_lock(&teller->lock);
    teller->to_read = ahead;
    pthread_cond_signal(&teller->has_work);
    pthread_mutex_unlock(&teller->lock);
}

bool tw_worker_pool_drain(struct tw_worker_pool *teller)
{
    if (teller->filling)
        hand_over(teller);
    while (teller->first) {
        wait_for_first(teller);
        finish_first(teller);
    }
    return !teller->stopped;
}

void tw_worker_pool_free(struct tw_worker_pool *teller)
{
    if (!teller)
        return;
    teller->stopped = true;
    tw_worker_pool_drain(teller);
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
    tw_connection_findings_free(teller->alone);
    g_free(teller);
}
