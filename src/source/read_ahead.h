/* SPDX-License-Identifier: MIT */
/*
 * Read-ahead in blocks of one file: any idle thread may read the next block, one at a time; if none
 * did, the consumer reads itself.
 */
#ifndef TW_SOURCE_READ_AHEAD_H
#define TW_SOURCE_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room before a block's data for the end of the previous block. */
#define TW_READ_FRONT (64 * 1024)
#define TW_READ_BYTES (256 * 1024)

struct tw_read_block {
    struct tw_read_block *next;
    size_t n; /* bytes after the front */
    uint8_t bytes[TW_READ_FRONT + TW_READ_BYTES];
};

struct tw_read_ahead;

struct tw_read_ahead *tw_read_ahead_new(void);
/* Requires that no file is open. */
void tw_read_ahead_free(struct tw_read_ahead *ahead);

/* ---- any thread
 * ------------------------------------------------------------------------------- */

/* Read a block. @return false if there is nothing to read, no room, or another reader. */
bool tw_read_ahead_some(struct tw_read_ahead *ahead);

/* ---- consumer thread
 * -------------------------------------------------------------------------- */

/* Read fd from its current position. Its offset must not be changed until close. */
void tw_read_ahead_open(struct tw_read_ahead *ahead, int fd);
void tw_read_ahead_close(struct tw_read_ahead *ahead);

/* The next block, owned by the consumer until released; NULL at the end, with errno or 0 in
 * error. */
struct tw_read_block *tw_read_ahead_next(struct tw_read_ahead *ahead, int *error);
void tw_read_ahead_give(struct tw_read_ahead *ahead, struct tw_read_block *block);

/* Has reading ahead become useful since the last call? ahead may be NULL. */
bool tw_read_ahead_asks(struct tw_read_ahead *ahead);

#endif
