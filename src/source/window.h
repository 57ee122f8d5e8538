/* SPDX-License-Identifier: MIT */
/*
 * A window that moves over a file descriptor or over memory. What it shows is borrowed until the
 * next tw_window_need(); it grows only as far as bytes really arrived, whatever a length claims.
 */
#ifndef TW_SOURCE_WINDOW_H
#define TW_SOURCE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"

struct tw_codec;
struct tw_read_ahead;
struct tw_read_block;
struct tw_unpack;

struct tw_window {
    const uint8_t *data; /* buffer, the block's bytes, or the caller's memory */
    size_t from, to;     /* what is not taken yet */
    uint8_t *buffer;     /* NULL over memory */
    size_t capacity;
    struct tw_unpack *unpack;    /* where bytes come from when they are compressed, else NULL */
    struct tw_read_ahead *ahead; /* who reads the file descriptor, or NULL */
    struct tw_read_block *block; /* of what it read, what is shown; or NULL */
    uint64_t read_bytes;         /* so far, over a file descriptor */
    int fd;                      /* -1 over memory and over unpack */
    bool close_fd;
    bool end;  /* nothing more will come */
    int error; /* errno of the read that failed, or 0 */
};

void tw_window_open_fd(struct tw_window *window, int fd, bool close_fd);
void tw_window_open_memory(struct tw_window *window, struct tw_bytes bytes);
void tw_window_close(struct tw_window *window);

/* What is shown and what is still to come is compressed: show from here on what it holds. */
void tw_window_unpack(struct tw_window *window, const struct tw_codec *codec);

/* From here on what the file descriptor still has is read through ahead, until it is closed. */
void tw_window_read_ahead(struct tw_window *window, struct tw_read_ahead *ahead);

/* As read(), waiting where a parent process left the descriptor non-blocking. */
ssize_t tw_window_read_fd(int fd, uint8_t *to, size_t n);

/* Read until n bytes are shown or there are no more. */
void tw_window_fill(struct tw_window *window, size_t n);

/* Everything shown from the cursor on; fewer than n bytes only at the end of the input. */
static inline struct tw_bytes tw_window_need(struct tw_window *window, size_t n)
{
    if (window->to - window->from < n)
        tw_window_fill(window, n);
    return tw_bytes(window->data + window->from, window->to - window->from);
}

/* What is shown from the cursor on, without reading. */
static inline struct tw_bytes tw_window_shown(const struct tw_window *window)
{
    return tw_bytes(window->data + window->from, window->to - window->from);
}

/* Move the cursor over n bytes that are shown. */
static inline void tw_window_take(struct tw_window *window, size_t n)
{
    window->from += n;
}

/* Bytes of the file or of the memory that were taken, compressed as they stand there. */
uint64_t tw_window_taken(const struct tw_window *window);

/* What lies at the bottom: the file or the memory, before any decompression. */
const struct tw_window *tw_window_bottom(const struct tw_window *window);

/* Move the cursor over n bytes that nobody wants to see. @return false when the input ends first.
 */
bool tw_window_skip(struct tw_window *window, size_t n);

#endif
