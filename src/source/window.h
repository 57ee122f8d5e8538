/* SPDX-License-Identifier: MIT */
/*
 * A window over a file descriptor or memory. Shown bytes are borrowed until the next
 * tw_window_need(); it grows only by bytes that arrived, whatever a length claims.
 */
#ifndef TW_SOURCE_WINDOW_H
#define TW_SOURCE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/bytes.h"

struct tw_read_ahead;
struct tw_read_block;
struct tw_unpack;
struct tw_window;

/* A decompressor, which a window may stand on instead of a descriptor or memory. */
struct tw_feed {
    ssize_t (*read)(struct tw_unpack *unpack, uint8_t *to, size_t n); /* like read() */
    uint64_t (*taken)(const struct tw_unpack *unpack);                /* like tw_window_taken() */
    const struct tw_window *(*below)(const struct tw_unpack *unpack); /* what it reads */
    void (*free)(struct tw_unpack *unpack);
};

struct tw_window {
    const uint8_t *data; /* buffer, block, or the caller's memory */
    size_t from, to;     /* bytes not yet consumed */
    uint8_t *buffer;     /* NULL for memory */
    size_t capacity;
    struct tw_unpack *unpack;    /* decompressor, or NULL ... */
    const struct tw_feed *feed;  /* ... and what it can do */
    struct tw_read_ahead *ahead; /* read-ahead of the file descriptor, or NULL */
    struct tw_read_block *block; /* current block of the read-ahead, or NULL */
    uint64_t read_bytes;         /* so far, for a file descriptor */
    int fd;                      /* -1 for memory and unpack */
    bool close_fd;
    bool end;  /* no more input */
    int error; /* errno of a failed read, or 0 */
};

void tw_window_open_fd(struct tw_window *window, int fd, bool close_fd);
void tw_window_open_memory(struct tw_window *window, struct tw_bytes bytes);
void tw_window_close(struct tw_window *window);

/* Read from here on what feed makes of this window, which it takes. */
void tw_window_feed(struct tw_window *window, const struct tw_feed *feed, struct tw_unpack *unpack);

/* Use read-ahead for the rest of the file descriptor, until it is closed. */
void tw_window_read_ahead(struct tw_window *window, struct tw_read_ahead *ahead);

/* Read until n bytes are available, or the input ends. */
void tw_window_fill(struct tw_window *window, size_t n);

/* Bytes from the cursor; fewer than n only at the end of the input. */
static inline struct tw_bytes tw_window_need(struct tw_window *window, size_t n)
{
    if (window->to - window->from < n)
        tw_window_fill(window, n);
    return tw_bytes(window->data + window->from, window->to - window->from);
}

/* Available bytes from the cursor, without reading. */
static inline struct tw_bytes tw_window_shown(const struct tw_window *window)
{
    return tw_bytes(window->data + window->from, window->to - window->from);
}

/* Consume n available bytes. */
static inline void tw_window_take(struct tw_window *window, size_t n)
{
    window->from += n;
}

/* Bytes consumed of the file or memory, before decompression. */
uint64_t tw_window_taken(const struct tw_window *window);

/* The innermost window: the file or memory before decompression. */
const struct tw_window *tw_window_bottom(const struct tw_window *window);

/* Skip n bytes. @return false if the input ends first. */
bool tw_window_skip(struct tw_window *window, size_t n);

/* Offset of the cursor, after decompression. */
uint64_t tw_window_position(const struct tw_window *window);

/* Can every byte be read at any time? True of memory and of regular files, uncompressed. */
bool tw_window_is_random(const struct tw_window *window);

/* Length of the input; for random access only. */
uint64_t tw_window_len(const struct tw_window *window);

/* Read at an offset, without moving. @return the number of bytes; 0 without random access. */
size_t tw_window_read_at(const struct tw_window *window, uint64_t offset, uint8_t *to, size_t n);

/* Move the cursor, backwards only with random access. @return false if that is not possible. */
bool tw_window_seek(struct tw_window *window, uint64_t offset);

#endif
