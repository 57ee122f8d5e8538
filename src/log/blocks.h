/* SPDX-License-Identifier: MIT */
/*
 * Blocks of records that logs have outgrown or left, for the logs that come after them: the kernel
 * would have to clear fresh pages for each. Of one thread at a time.
 */
#ifndef TW_LOG_BLOCKS_H
#define TW_LOG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TW_LOG_BLOCK_SIZES 24

/* Begins as zeros, but for most_bytes and plenty. */
struct tw_log_blocks {
    struct tw_log_block
        *free[TW_LOG_BLOCK_SIZES]; /* of twice as many records each; some stay empty */
    size_t bytes, most_bytes;      /* of those that wait */
    bool plenty; /* of memory: a log may get a block that is larger than it needs */
};

/* How many records a block holds: of small ones each size is four times the one before, which keeps
 * what a log copies while it grows to a third of it; large ones, which grow in place, double. */
uint32_t tw_log_block_records(uint32_t at_least);

/* 128 KiB: blocks that are not smaller have pages of their own, which move without being copied. */
#define TW_LOG_LARGE_BLOCK 2048

/* Does such a block wait? */
bool tw_log_blocks_has(const struct tw_log_blocks *blocks, uint32_t records);

/* Room for *records; and for so many more as *records says then. blocks may be NULL. */
struct tw_record *tw_log_blocks_take(struct tw_log_blocks *blocks, uint32_t *records);
void tw_log_blocks_give(struct tw_log_blocks *blocks, struct tw_record *block, uint32_t records);

void tw_log_blocks_clear(struct tw_log_blocks *blocks);

#endif
