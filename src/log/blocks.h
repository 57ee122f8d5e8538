/* SPDX-License-Identifier: MIT */
/*
 * Free list of record blocks for reuse by later logs, as the kernel must clear fresh pages. Used by
 * one thread at a time.
 */
#ifndef TW_LOG_BLOCKS_H
#define TW_LOG_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TW_LOG_BLOCK_SIZES 24

/* Zero-initialised except most_bytes and plenty. */
struct tw_log_blocks {
    struct tw_log_block
        *free[TW_LOG_BLOCK_SIZES]; /* by size, each twice the previous; some stay empty */
    size_t bytes, most_bytes;      /* of the free blocks */
    bool plenty; /* memory is plentiful: a log may get a larger block than it needs */
};

/* Records per block. Small sizes quadruple, which limits the records copied by a growing log to
 * a third; large ones, which grow in place, double. */
uint32_t tw_log_block_records(uint32_t at_least);

/* 128 KiB: from this size on blocks have their own pages, which move without copying. */
#define TW_LOG_LARGE_BLOCK 2048

/* Is such a block free? */
bool tw_log_blocks_has(const struct tw_log_blocks *blocks, uint32_t records);

/* Room for *records; updates *records to the capacity. blocks may be NULL. */
struct tw_record *tw_log_blocks_take(struct tw_log_blocks *blocks, uint32_t *records);
void tw_log_blocks_give(struct tw_log_blocks *blocks, struct tw_record *block, uint32_t records);

void tw_log_blocks_clear(struct tw_log_blocks *blocks);

#endif
