/* SPDX-License-Identifier: MIT */
/*
 * With one thread connections are explained at once. With more, workers explain batches, and the
 * reading thread takes results in order, for deterministic output; it helps instead of waiting, and
 * idle workers read ahead. POSIX threads instead of GLib's, which the thread sanitizer does not
 * understand.
 */
#include "engine/worker_pool.h"

#include <pthread.h>

#include "base/memory.h"
#include "base/options.h"
#include "engine/batch.h"

/* More workers would be idle: reading is the limit. */
#define MOST_WORKERS 16

/* Batches in progress per worker, so that the reading thread need not wait when several large
 * connections end together. */
#define BATCHES_AHEAD 12

/* Share of the memory bound for batches in progress; and size of a log that is explained
 * exclusively. */
#define SHARE_AHEAD 16
#define BIG_RECORDS 65536

/* All that a worker needs is made before it starts: a thread that runs out of memory cannot free
 * it, and one that does so late is not missed. */
struct worker {
    struct tw_worker_pool *pool;
    struct tw_connection_findings *alone;
    pthread_t thread;
};

/* Batches of the reading thread, handed over and taken back in order. */
struct ahead {
    struct tw_batch *filling; /* not handed over yet */
    struct tw_batch *first, *last;
    unsigned n;
    size_t bytes;
};

/* All threads read and write it, and tw_batch.done, with the lock held. */
struct shared {
    pthread_mutex_t lock;
    pthread_cond_t has_work, has_done;
    struct tw_batch_queue to_do;
    /* Reported batches: workers free what they allocated, to avoid contention in malloc(). */
    struct tw_batch_queue to_clear;
    struct tw_read_ahead *to_read; /* read-ahead for idle workers, or NULL */
    bool quits;
    bool failed; /* a thread ran out of memory */
};

/* Outside of shared, what stays as it is made, and what the reading thread alone touches. */
struct tw_worker_pool {
    struct tw_heap *heap; /* of all threads, or NULL */
    struct tw_undo undo;  /* no thread works on after a failure */
    const struct tcpwhy_options *options;
    struct tw_builder *builder;
    struct tw_connection_findings *alone; /* of the reading thread */
    struct ahead ahead;
    bool stopped;
    unsigned most_workers, n_workers;
    struct worker worker[MOST_WORKERS];
    pthread_mutex_t big; /* held while explaining a large log */
    struct shared shared;
};

static void join(struct tw_worker_pool *pool)
{
    pthread_mutex_lock(&pool->shared.lock);
    pool->shared.quits = true;
    pthread_cond_broadcast(&pool->shared.has_work);
    pthread_mutex_unlock(&pool->shared.lock);
    for (unsigned i = 0; i < pool->n_workers; i++)
        pthread_join(pool->worker[i].thread, NULL);
}

/* Workers finish what they do. */
static void abandon(void *user)
{
    struct tw_worker_pool *pool = user;

    pthread_mutex_lock(&pool->shared.lock);
    pool->shared.to_do = pool->shared.to_clear = (struct tw_batch_queue) { 0 };
    pool->shared.to_read = NULL;
    pthread_mutex_unlock(&pool->shared.lock);
    join(pool);
}

struct tw_worker_pool *tw_worker_pool_new(const struct tcpwhy_options *options,
                                          struct tw_builder *builder)
{
    struct tw_worker_pool *pool = tw_new0(struct tw_worker_pool, 1);
    unsigned threads = options->threads ? options->threads : g_get_num_processors();

    pool->heap = tw_heap_current();
    pool->options = options;
    pool->builder = builder;
    pool->alone = tw_connection_job_alone(options);
    /* With callbacks connections are reported when they end, not when a batch is full. */
    if (tw_callbacks(options)->in_batches ||
        (!tw_callbacks(options)->on_stream && !tw_callbacks(options)->on_finding))
        pool->most_workers = MIN(threads - 1, MOST_WORKERS);
    pthread_mutex_init(&pool->shared.lock, NULL);
    pthread_mutex_init(&pool->big, NULL);
    pthread_cond_init(&pool->shared.has_work, NULL);
    pthread_cond_init(&pool->shared.has_done, NULL);
    tw_undo_add(&pool->undo, abandon, pool);
    return pool;
}

bool tw_worker_pool_is_alone(const struct tw_worker_pool *pool)
{
    return pool->most_workers == 0;
}

static void tell(struct tw_worker_pool *pool, struct tw_connection_job *job)
{
    if (!pool->stopped)
        pool->stopped = !tw_connection_job_deliver(job, pool->builder);
    tw_ended_clear(&job->ended);
}

/* @return false if out of memory: then what it used may be incomplete. */
static bool find_out(const struct tw_worker_pool *pool, struct tw_batch *batch,
                     struct tw_connection_findings *alone)
{
    struct tw_guard guard;

    if (TW_FAILED(guard))
        return false;
    tw_guard_begin_part(&guard, pool->heap);
    tw_batch_find_out(batch, pool->options, alone);
    tw_guard_end(&guard);
    return true;
}

/* @return false if out of memory, which the reading thread is told. */
static bool do_batch(struct tw_worker_pool *pool, struct tw_batch *batch,
                     struct tw_connection_findings *alone)
{
    bool big = batch->records >= BIG_RECORDS, found;

    if (big)
        pthread_mutex_lock(&pool->big);
    found = find_out(pool, batch, alone);
    if (big)
        pthread_mutex_unlock(&pool->big);
    pthread_mutex_lock(&pool->shared.lock);
    batch->done = true;
    pool->shared.failed |= !found;
    pthread_cond_signal(&pool->shared.has_done);
    pthread_mutex_unlock(&pool->shared.lock);
    return found;
}

static void work(struct tw_worker_pool *pool, struct tw_connection_findings *alone)
{
    for (;;) {
        struct tw_batch *batch, *told;
        struct tw_read_ahead *to_read;

        pthread_mutex_lock(&pool->shared.lock);
        while (!pool->shared.to_do.first && !pool->shared.to_clear.first && !pool->shared.to_read &&
               !pool->shared.quits)
            pthread_cond_wait(&pool->shared.has_work, &pool->shared.lock);
        to_read = pool->shared.to_read;
        pool->shared.to_read = NULL;
        told = tw_batch_take(&pool->shared.to_clear);
        batch = tw_batch_take(&pool->shared.to_do);
        pthread_mutex_unlock(&pool->shared.lock);
        while (to_read && tw_read_ahead_some(to_read))
            ;
        if (told)
            tw_batch_free(told);
        if (batch && !do_batch(pool, batch, alone))
            return;
        if (!told && !batch && !to_read)
            return;
    }
}

static void *run_worker(void *user)
{
    const struct worker *worker = user;
    struct tw_worker_pool *pool = worker->pool;
    struct tw_guard guard;

    if (TW_FAILED(guard)) {
        pthread_mutex_lock(&pool->shared.lock);
        pool->shared.failed = true;
        pthread_mutex_unlock(&pool->shared.lock);
        return NULL;
    }
    tw_guard_begin_part(&guard, pool->heap);
    work(pool, worker->alone);
    tw_guard_end(&guard);
    return NULL;
}

static bool is_done(struct tw_worker_pool *pool, const struct tw_batch *batch)
{
    bool done, failed;

    pthread_mutex_lock(&pool->shared.lock);
    done = batch->done;
    failed = pool->shared.failed;
    pthread_mutex_unlock(&pool->shared.lock);
    if (failed)
        tw_out_of_memory(0);
    return done;
}

/* The first batch is done: take it back. */
static void finish_first(struct tw_worker_pool *pool)
{
    struct tw_batch *batch = pool->ahead.first;

    pool->ahead.first = batch->next;
    if (!pool->ahead.first)
        pool->ahead.last = NULL;
    pool->ahead.n--;
    pool->ahead.bytes -= batch->bytes;
    for (unsigned i = 0; i < batch->n; i++)
        tell(pool, &batch->job[i]);
    if (batch->at_home) {
        tw_batch_free(batch);
        return;
    }
    pthread_mutex_lock(&pool->shared.lock);
    tw_batch_put(&pool->shared.to_clear, batch);
    pthread_mutex_unlock(&pool->shared.lock);
}

/* Run pending batches, or wait, until the first one is done. */
static void wait_for_first(struct tw_worker_pool *pool)
{
    while (!is_done(pool, pool->ahead.first)) {
        struct tw_batch *batch;

        pthread_mutex_lock(&pool->shared.lock);
        batch = tw_batch_take(&pool->shared.to_do);
        while (!batch && !pool->ahead.first->done)
            pthread_cond_wait(&pool->shared.has_done, &pool->shared.lock);
        pthread_mutex_unlock(&pool->shared.lock);
        if (!batch)
            continue;
        batch->at_home = true;
        do_batch(pool, batch, pool->alone);
    }
}

/* Start threads on demand; small captures need none. */
static void hire(struct tw_worker_pool *pool, unsigned wanted)
{
    struct worker *worker = &pool->worker[pool->n_workers];

    if (pool->n_workers >= MIN(wanted, pool->most_workers))
        return;
    worker->pool = pool;
    worker->alone = tw_connection_job_alone(pool->options);
    if (pthread_create(&worker->thread, NULL, run_worker, worker) == 0)
        pool->n_workers++;
    else
        tw_connection_findings_free(worker->alone);
}

static void hand_over(struct tw_worker_pool *pool)
{
    struct tw_batch *batch = pool->ahead.filling;

    pool->ahead.filling = NULL;
    pool->ahead.n++;
    pool->ahead.bytes += batch->bytes;
    if (pool->ahead.last)
        pool->ahead.last->next = batch;
    else
        pool->ahead.first = batch;
    pool->ahead.last = batch;
    pthread_mutex_lock(&pool->shared.lock);
    tw_batch_put(&pool->shared.to_do, batch);
    pthread_cond_signal(&pool->shared.has_work);
    pthread_mutex_unlock(&pool->shared.lock);
}

static bool is_far_ahead(const struct tw_worker_pool *pool)
{
    return pool->ahead.n > BATCHES_AHEAD * pool->most_workers ||
           pool->ahead.bytes > pool->options->memory_bytes / SHARE_AHEAD;
}

static void add_to_batch(struct tw_worker_pool *pool, const struct tw_ended *ended)
{
    if (!pool->ahead.filling)
        pool->ahead.filling = tw_batch_new();
    tw_batch_add(pool->ahead.filling, ended);
    if (!tw_batch_is_full(pool->ahead.filling))
        return;
    hand_over(pool);
    hire(pool, pool->ahead.n);
    while (pool->ahead.first && (is_done(pool, pool->ahead.first) || is_far_ahead(pool))) {
        wait_for_first(pool);
        finish_first(pool);
    }
}

bool tw_worker_pool_submit(struct tw_worker_pool *pool, const struct tw_ended *ended)
{
    struct tw_connection_job job;

    job.ended = *ended;
    /* Free on the reading thread what it allocated. */
    tw_app_end(&job.ended.app);
    if (!tw_worker_pool_is_alone(pool)) {
        add_to_batch(pool, &job.ended);
        return !pool->stopped;
    }
    tw_connection_job_run(&job, pool->options, pool->alone);
    tell(pool, &job);
    tw_connection_job_clear(&job);
    return !pool->stopped;
}

void tw_worker_pool_read_on(struct tw_worker_pool *pool, struct tw_read_ahead *prefetch)
{
    hire(pool, 1);
    if (pool->n_workers == 0)
        return;
    pthread_mutex_lock(&pool->shared.lock);
    pool->shared.to_read = prefetch;
    pthread_cond_signal(&pool->shared.has_work);
    pthread_mutex_unlock(&pool->shared.lock);
}

bool tw_worker_pool_drain(struct tw_worker_pool *pool)
{
    if (pool->ahead.filling)
        hand_over(pool);
    while (pool->ahead.first) {
        wait_for_first(pool);
        finish_first(pool);
    }
    return !pool->stopped;
}

void tw_worker_pool_free(struct tw_worker_pool *pool)
{
    if (!pool)
        return;
    pool->stopped = true;
    tw_worker_pool_drain(pool);
    tw_undo_remove(&pool->undo);
    join(pool);
    for (struct tw_batch *batch; (batch = tw_batch_take(&pool->shared.to_clear));)
        tw_batch_free(batch);
    pthread_mutex_destroy(&pool->shared.lock);
    pthread_mutex_destroy(&pool->big);
    pthread_cond_destroy(&pool->shared.has_work);
    pthread_cond_destroy(&pool->shared.has_done);
    for (unsigned i = 0; i < pool->n_workers; i++)
        tw_connection_findings_free(pool->worker[i].alone);
    tw_connection_findings_free(pool->alone);
    tw_free(pool);
}
