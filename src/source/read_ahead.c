/* SPDX-License-Identifier: MIT */
#include "source/read_ahead.h"

#include <errno.h>
#include <pthread.h>

#include <glib.h>

#include "base/memory.h"
#include "source/read_fd.h"

/* Enough blocks for the time it takes to explain a few connections. */
#define BLOCKS 8

struct tw_read_ahead {
    pthread_mutex_t lock; /* protects the following, except the bytes of a block being read */
    pthread_cond_t has_read;
    int fd;          /* -1: none */
    bool is_reading; /* a thread is reading */
    bool at_end;
    int error;                          /* errno of a failed read, or 0 */
    struct tw_read_block *first, *last; /* filled blocks in order */
    struct tw_read_block *empty;        /* most recently used first, as it is in a cache */
    unsigned n_read, n_blocks;
    bool asks; /* owned by the consumer */
};

struct tw_read_ahead *tw_read_ahead_new(void)
{
    struct tw_read_ahead *ahead = tw_new0(struct tw_read_ahead, 1);

    ahead->fd = -1;
    pthread_mutex_init(&ahead->lock, NULL);
    pthread_cond_init(&ahead->has_read, NULL);
    return ahead;
}

static void free_empty(struct tw_read_ahead *ahead)
{
    for (struct tw_read_block *block; (block = ahead->empty);) {
        ahead->empty = block->next;
        ahead->n_blocks--;
        tw_free(block);
    }
}

void tw_read_ahead_free(struct tw_read_ahead *ahead)
{
    if (!ahead)
        return;
    free_empty(ahead);
    pthread_mutex_destroy(&ahead->lock);
    pthread_cond_destroy(&ahead->has_read);
    tw_free(ahead);
}

static bool may_read(const struct tw_read_ahead *ahead)
{
    return ahead->fd >= 0 && !ahead->is_reading && !ahead->at_end &&
           (ahead->empty || ahead->n_blocks < BLOCKS);
}

static struct tw_read_block *take_empty(struct tw_read_ahead *ahead)
{
    struct tw_read_block *block = ahead->empty;

    if (block) {
        ahead->empty = block->next;
        return block;
    }
    block = tw_try_malloc(sizeof *block);
    ahead->n_blocks += block != NULL;
    return block;
}

static void put_empty(struct tw_read_ahead *ahead, struct tw_read_block *block)
{
    block->next = ahead->empty;
    ahead->empty = block;
}

static void put_read(struct tw_read_ahead *ahead, struct tw_read_block *block)
{
    block->next = NULL;
    if (ahead->last)
        ahead->last->next = block;
    else
        ahead->first = block;
    ahead->last = block;
    ahead->n_read++;
}

/* Called with the lock held, which is released while reading. */
static void read_one(struct tw_read_ahead *ahead)
{
    struct tw_read_block *block = take_empty(ahead);
    int fd = ahead->fd, error;
    ssize_t got;

    if (!block) {
        ahead->at_end = true;
        ahead->error = ENOMEM;
        return;
    }
    ahead->is_reading = true;
    pthread_mutex_unlock(&ahead->lock);
    got = tw_read_fd(fd, block->bytes + TW_READ_FRONT, TW_READ_BYTES);
    error = got < 0 ? errno : 0;
    pthread_mutex_lock(&ahead->lock);
    ahead->is_reading = false;
    ahead->at_end = got <= 0;
    ahead->error = error;
    block->n = (size_t)MAX(got, 0);
    if (ahead->at_end) {
        /* The remaining open connections need the memory now. */
        put_empty(ahead, block);
        free_empty(ahead);
    } else {
        put_read(ahead, block);
    }
    pthread_cond_signal(&ahead->has_read);
}

bool tw_read_ahead_some(struct tw_read_ahead *ahead)
{
    bool may;

    pthread_mutex_lock(&ahead->lock);
    may = may_read(ahead);
    if (may)
        read_one(ahead);
    pthread_mutex_unlock(&ahead->lock);
    return may;
}

void tw_read_ahead_open(struct tw_read_ahead *ahead, int fd)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->fd = fd;
    ahead->at_end = false;
    pthread_mutex_unlock(&ahead->lock);
}

static struct tw_read_block *take_read(struct tw_read_ahead *ahead)
{
    struct tw_read_block *block = ahead->first;

    ahead->first = block->next;
    if (!ahead->first)
        ahead->last = NULL;
    ahead->n_read--;
    return block;
}

void tw_read_ahead_close(struct tw_read_ahead *ahead)
{
    pthread_mutex_lock(&ahead->lock);
    ahead->fd = -1;
    while (ahead->is_reading)
        pthread_cond_wait(&ahead->has_read, &ahead->lock);
    while (ahead->first)
        put_empty(ahead, take_read(ahead));
    pthread_mutex_unlock(&ahead->lock);
}

struct tw_read_block *tw_read_ahead_next(struct tw_read_ahead *ahead, int *error)
{
    struct tw_read_block *block = NULL;

    pthread_mutex_lock(&ahead->lock);
    while (!ahead->first && (ahead->is_reading || !ahead->at_end))
        if (ahead->is_reading)
            pthread_cond_wait(&ahead->has_read, &ahead->lock);
        else
            read_one(ahead);
    if (ahead->first)
        block = take_read(ahead);
    ahead->asks = !ahead->at_end && ahead->n_read < BLOCKS / 2;
    *error = ahead->error;
    pthread_mutex_unlock(&ahead->lock);
    return block;
}

void tw_read_ahead_give(struct tw_read_ahead *ahead, struct tw_read_block *block)
{
    pthread_mutex_lock(&ahead->lock);
    put_empty(ahead, block);
    pthread_mutex_unlock(&ahead->lock);
}

bool tw_read_ahead_asks(struct tw_read_ahead *ahead)
{
    bool asks = ahead && ahead->asks;

    if (asks)
        ahead->asks = false;
    return asks;
}
