/* SPDX-License-Identifier: MIT */
/*
 * A ring of chunks: the thread fills them in turn, the reader empties them, and each waits for the
 * other. An empty chunk marks the end.
 */
#include "source/unpack_ahead.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <glib.h>

#include "base/memory.h"

#define CHUNK_BYTES (128 * 1024)
#define CHUNKS      4

struct chunk {
    uint8_t bytes[CHUNK_BYTES];
    size_t n;
    uint64_t taken; /* bytes consumed of the file after this chunk */
    int error;      /* errno of a failed read, or 0 */
};

struct tw_unpack_ahead {
    struct tw_heap *heap; /* of both threads, or NULL */
    struct tw_undo undo;  /* the thread does not work on after a failure */
    const struct tw_feed *feed;
    struct tw_unpack *unpack; /* owned by the thread */
    struct chunk chunk[CHUNKS];
    size_t at;      /* the reader's offset in the current chunk */
    uint64_t taken; /* of the file, for what was read */
    bool at_end;    /* the thread has ended */
    pthread_t thread;
    pthread_mutex_t lock; /* protects the following */
    pthread_cond_t has_chunk, has_room;
    uint64_t filled, emptied; /* chunks so far */
    bool quits;
};

static void read_chunk(const struct tw_unpack_ahead *ahead, struct chunk *chunk)
{
    ssize_t got;

    chunk->n = 0;
    do {
        got = ahead->feed->read(ahead->unpack, chunk->bytes + chunk->n, CHUNK_BYTES - chunk->n);
        chunk->n += (size_t)MAX(got, 0);
    } while (got > 0 && chunk->n < CHUNK_BYTES);
    chunk->error = got < 0 ? errno : 0;
    chunk->taken = ahead->feed->taken(ahead->unpack);
}

/* Without memory the chunk ends the file with an error. */
static void fill(const struct tw_unpack_ahead *ahead, struct chunk *chunk)
{
    struct tw_guard guard;

    if (TW_FAILED(guard)) {
        chunk->n = 0;
        chunk->error = ENOMEM;
        return;
    }
    tw_guard_begin_part(&guard, ahead->heap);
    read_chunk(ahead, chunk);
    tw_guard_end(&guard);
}

/* @return false if the reader is gone. */
static bool wait_for_room(struct tw_unpack_ahead *ahead)
{
    bool goes_on;

    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled - ahead->emptied == CHUNKS && !ahead->quits)
        pthread_cond_wait(&ahead->has_room, &ahead->lock);
    goes_on = !ahead->quits;
    pthread_mutex_unlock(&ahead->lock);
    return goes_on;
}

static void *run(void *user)
{
    struct tw_unpack_ahead *ahead = user;
    bool more = true;

    while (more && wait_for_room(ahead)) {
        struct chunk *chunk = &ahead->chunk[ahead->filled % CHUNKS];

        fill(ahead, chunk);
        more = chunk->n > 0;
        pthread_mutex_lock(&ahead->lock);
        ahead->filled++;
        pthread_cond_signal(&ahead->has_chunk);
        pthread_mutex_unlock(&ahead->lock);
    }
    return NULL;
}

static void stop(void *user)
{
    struct tw_unpack_ahead *ahead = user;

    pthread_mutex_lock(&ahead->lock);
    ahead->quits = true;
    pthread_cond_signal(&ahead->has_room);
    pthread_mutex_unlock(&ahead->lock);
    if (!ahead->at_end)
        pthread_join(ahead->thread, NULL);
    ahead->at_end = true;
}

struct tw_unpack_ahead *tw_unpack_ahead_new(const struct tw_feed *feed, struct tw_unpack *unpack)
{
    struct tw_unpack_ahead *ahead = tw_new0(struct tw_unpack_ahead, 1);

    ahead->heap = tw_heap_current();
    ahead->feed = feed;
    ahead->unpack = unpack;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->has_chunk, NULL);
    pthread_cond_init(&ahead->has_room, NULL);
    ahead->at_end = pthread_create(&ahead->thread, NULL, run, ahead) != 0;
    tw_undo_add(&ahead->undo, stop, ahead);
    if (!ahead->at_end)
        return ahead;
    tw_unpack_ahead_free(ahead);
    return NULL;
}

/* The current chunk, once it is available. */
static const struct chunk *wait_for_chunk(struct tw_unpack_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    while (ahead->filled == ahead->emptied)
        pthread_cond_wait(&ahead->has_chunk, &ahead->lock);
    pthread_mutex_unlock(&ahead->lock);
    return &ahead->chunk[ahead->emptied % CHUNKS];
}

static void give_back(struct tw_unpack_ahead *ahead)
{
    ahead->at = 0;
    pthread_mutex_lock(&ahead->lock);
    ahead->emptied++;
    pthread_cond_signal(&ahead->has_room);
    pthread_mutex_unlock(&ahead->lock);
}

ssize_t tw_unpack_ahead_read(struct tw_unpack_ahead *ahead, uint8_t *to, size_t n)
{
    const struct chunk *chunk = wait_for_chunk(ahead);
    size_t part = MIN(n, chunk->n - ahead->at);

    ahead->taken = chunk->taken;
    if (chunk->n == 0) {
        if (!ahead->at_end)
            pthread_join(ahead->thread, NULL);
        ahead->at_end = true;
        errno = chunk->error;
        return chunk->error ? -1 : 0;
    }
    memcpy(to, chunk->bytes + ahead->at, part);
    ahead->at += part;
    if (ahead->at == chunk->n)
        give_back(ahead);
    return (ssize_t)part;
}

uint64_t tw_unpack_ahead_taken(const struct tw_unpack_ahead *ahead)
{
    return ahead->taken;
}

void tw_unpack_ahead_free(struct tw_unpack_ahead *ahead)
{
    if (!ahead)
        return;
    tw_undo_remove(&ahead->undo);
    stop(ahead);
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->has_chunk);
    pthread_cond_destroy(&ahead->has_room);
    tw_free(ahead);
}
