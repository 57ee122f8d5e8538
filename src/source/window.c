/* SPDX-License-Identifier: MIT */
/*
 * One buffer around read(), refilled from the front: only frames across two reads are copied. A
 * decoder fills the same buffer.
 */
#include "source/window.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <glib.h>

#include "base/memory.h"
#include "source/read_ahead.h"
#include "source/read_fd.h"

/* Large enough to amortise read(), small enough for L2. */
#define BUFFER_BYTES (256 * 1024)

void tw_window_open_fd(struct tw_window *window, int fd, bool close_fd)
{
    *window = (struct tw_window) {
        .buffer = tw_malloc(BUFFER_BYTES), .capacity = BUFFER_BYTES, .fd = fd, .close_fd = close_fd
    };
    window->data = window->buffer;
}

void tw_window_open_memory(struct tw_window *window, struct tw_bytes bytes)
{
    *window = (struct tw_window) { .data = bytes.data, .to = bytes.len, .fd = -1, .end = true };
}

void tw_window_feed(struct tw_window *window, const struct tw_feed *feed, struct tw_unpack *unpack)
{
    tw_window_open_fd(window, -1, false);
    window->unpack = unpack;
    window->feed = feed;
}

void tw_window_read_ahead(struct tw_window *window, struct tw_read_ahead *ahead)
{
    window->ahead = ahead;
    tw_read_ahead_open(ahead, window->fd);
}

/* Out of memory is no error of the file: here, on another thread, or in read(). */
static void note_error(struct tw_window *window, int error)
{
    window->error = error;
    if (error == ENOMEM)
        tw_out_of_memory(0);
}

/* Release the block that was shown. */
static void show_block(struct tw_window *window, struct tw_read_block *block)
{
    if (window->block)
        tw_read_ahead_give(window->ahead, window->block);
    window->block = block;
}

void tw_window_close(struct tw_window *window)
{
    show_block(window, NULL);
    if (window->ahead)
        tw_read_ahead_close(window->ahead);
    tw_free(window->buffer);
    if (window->unpack)
        window->feed->free(window->unpack);
    if (window->close_fd)
        close(window->fd);
    *window = (struct tw_window) { .fd = -1, .end = true };
}

static ssize_t read_some(const struct tw_window *window, uint8_t *to, size_t n)
{
    if (window->unpack)
        return window->feed->read(window->unpack, to, n);
    return tw_read_fd(window->fd, to, n);
}

static void make_room(struct tw_window *window)
{
    memmove(window->buffer, window->buffer + window->from, window->to - window->from);
    window->to -= window->from;
    window->from = 0;
    if (window->to == window->capacity) {
        window->capacity *= 2;
        window->buffer = tw_realloc(window->buffer, window->capacity);
        window->data = window->buffer;
    }
}

static void copy_shown(const struct tw_window *window, uint8_t *to)
{
    memcpy(to, window->data + window->from, window->to - window->from);
}

/* Move unconsumed bytes, usually the end of a frame, in front of the block. */
static void go_on_in(struct tw_window *window, struct tw_read_block *block)
{
    size_t shown = window->to - window->from;

    copy_shown(window, block->bytes + TW_READ_FRONT - shown);
    show_block(window, block);
    window->data = block->bytes;
    window->from = TW_READ_FRONT - shown;
    window->to = TW_READ_FRONT + block->n;
}

/* Make room for n bytes after the unconsumed ones, without moving them for each block. */
static void gather_room(struct tw_window *window, size_t n)
{
    size_t shown = window->to - window->from, capacity = window->capacity;
    uint8_t *buffer;

    if (window->data == window->buffer && capacity - window->to >= n)
        return;
    while (capacity < shown + n)
        capacity *= 2;
    buffer = tw_malloc(capacity);
    copy_shown(window, buffer);
    show_block(window, NULL);
    tw_free(window->buffer);
    window->data = window->buffer = buffer;
    window->capacity = capacity;
    window->from = 0;
    window->to = shown;
}

/* A long frame spans several blocks. */
static void gather(struct tw_window *window, struct tw_read_block *block)
{
    gather_room(window, block->n);
    memcpy(window->buffer + window->to, block->bytes + TW_READ_FRONT, block->n);
    window->to += block->n;
    tw_read_ahead_give(window->ahead, block);
}

static void fill_ahead(struct tw_window *window, size_t n)
{
    while (window->to - window->from < n && !window->end) {
        struct tw_read_block *block = tw_read_ahead_next(window->ahead, &window->error);

        if (!block) {
            window->end = true;
            note_error(window, window->error);
            return;
        }
        window->read_bytes += block->n;
        if (window->to - window->from <= TW_READ_FRONT)
            go_on_in(window, block);
        else
            gather(window, block);
    }
}

void tw_window_fill(struct tw_window *window, size_t n)
{
    if (window->end)
        return;
    if (window->ahead) {
        fill_ahead(window, n);
        return;
    }
    make_room(window);
    while (window->to - window->from < n) {
        ssize_t got;

        if (window->to == window->capacity)
            make_room(window);
        got = read_some(window, window->buffer + window->to, window->capacity - window->to);
        if (got <= 0) {
            window->end = true;
            note_error(window, got < 0 ? errno : 0);
            return;
        }
        window->to += (size_t)got;
        window->read_bytes += (uint64_t)got;
    }
}

const struct tw_window *tw_window_bottom(const struct tw_window *window)
{
    while (window->unpack)
        window = window->feed->below(window->unpack);
    return window;
}

uint64_t tw_window_taken(const struct tw_window *window)
{
    if (window->unpack)
        return window->feed->taken(window->unpack);
    return window->fd < 0 ? window->from : window->read_bytes - (window->to - window->from);
}

bool tw_window_skip(struct tw_window *window, size_t n)
{
    while (n > 0) {
        struct tw_bytes shown = tw_window_need(window, 1);
        size_t step = MIN(shown.len, n);

        if (step == 0)
            return false;
        tw_window_take(window, step);
        n -= step;
    }
    return true;
}
