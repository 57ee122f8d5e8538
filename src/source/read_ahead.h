/* SPDX-License-Identifier: MIT */
/*
 * Blocks of a file, read before they are needed: any thread that has time may read on, one at a
 * time, and where none did, the one that takes them reads for itself. Of one file at a time.
 */
#ifndef TW_SOURCE_READ_AHEAD_H
#define TW_SOURCE_READ_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room in front of what a block holds, for the end of the block before it. */
#define TW_READ_FRONT (64 * 1024)
#define TW_READ_BYTES (256 * 1024)

struct tw_read_block {
    struct tw_read_block *next;
    size_t n; /* bytes behind the front */
    uint8_t bytes[TW_READ_FRONT + TW_READ_BYTES];
};

struct tw_read_ahead;

struct tw_read_ahead *tw_read_ahead_new(void);
/* Without an open file. */
void tw_read_ahead_free(struct tw_read_ahead *ahead);

/* ---- by any thread --------------------------------------------------------------------------- */

/* Read a block. @return false when there is nothing to read, no room for it, or somebody at it. */
bool tw_read_ahead_some(struct tw_read_ahead *ahead);

/* ---- by the thread that takes the blocks ----------------------------------------------------- */

/* Read fd from where it stands; before close, when nobody reads it any more, it is not to be moved.
 */
void tw_read_ahead_open(struct tw_read_ahead *ahead, int fd);
void tw_read_ahead_close(struct tw_read_ahead *ahead);

/* The next block, the taker's until it is given back; NULL at the end, error (errno or 0) says why.
 */
struct tw_read_block *tw_read_ahead_next(struct tw_read_ahead *ahead, int *error);
void tw_read_ahead_give(struct tw_read_ahead *ahead, struct tw_read_block *block);

/* Since this was asked last, has it become worth somebody's while to read on? ahead may be NULL. */
bool tw_read_ahead_asks(struct tw_read_ahead *ahead);

#endif
