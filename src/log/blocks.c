/* SPDX-License-Identifier: MIT */
#include "log/blocks.h"

#include <glib.h>

#include "base/memory.h"
#include "log/record.h"

/* Records of a short connection. */
#define FEWEST 12

/* Large blocks up to this size (768 KiB) suit any log that needs a large one: their pages are
 * mapped, and the log can grow in place. */
#define ANY_LARGE 12288

/* Header of a free block. */
struct tw_log_block {
    struct tw_log_block *next;
};

/* Number of doublings of FEWEST to hold that many records (small blocks quadruple). Called for
 * each memory count, hence without a loop. */
static unsigned size_of(uint32_t records)
{
    const uint32_t times = records > 0 ? (records - 1) / FEWEST : 0;
    const unsigned size = times > 0 ? 32 - (unsigned)__builtin_clz(times) : 0;

    return (uint64_t)FEWEST << size < TW_LOG_LARGE_BLOCK ? size + (size & 1) : size;
}

uint32_t tw_log_block_records(uint32_t at_least)
{
    return (uint32_t)MIN((uint64_t)FEWEST << size_of(at_least), UINT32_MAX);
}

static bool is_large(uint32_t records)
{
    return records >= TW_LOG_LARGE_BLOCK;
}

/* @return the block size for a log of that many records, or TW_LOG_BLOCK_SIZES if no suitable
 * one is free. */
static unsigned find_size(const struct tw_log_blocks *blocks, uint32_t records)
{
    unsigned size = size_of(records), most = size;

    if (!blocks)
        return TW_LOG_BLOCK_SIZES;
    if (blocks->plenty && is_large(records))
        most = MAX(size, size_of(ANY_LARGE));
    for (; size <= most && size < TW_LOG_BLOCK_SIZES; size++)
        if (blocks->free[size])
            return size;
    return TW_LOG_BLOCK_SIZES;
}

bool tw_log_blocks_has(const struct tw_log_blocks *blocks, uint32_t records)
{
    return find_size(blocks, records) < TW_LOG_BLOCK_SIZES;
}

static struct tw_record *new_block(uint32_t records)
{
    return is_large(records) ? tw_pages_new(records * sizeof(struct tw_record))
                             : tw_new(struct tw_record, records);
}

static void free_block(void *block, uint32_t records)
{
    if (is_large(records))
        tw_pages_free(block);
    else
        tw_free(block);
}

struct tw_record *tw_log_blocks_take(struct tw_log_blocks *blocks, uint32_t *records)
{
    unsigned size = find_size(blocks, *records);
    struct tw_log_block *block;

    if (size == TW_LOG_BLOCK_SIZES)
        return new_block(*records);
    block = blocks->free[size];
    blocks->free[size] = block->next;
    *records = FEWEST << size;
    blocks->bytes -= *records * sizeof(struct tw_record);
    return (struct tw_record *)(void *)block;
}

void tw_log_blocks_give(struct tw_log_blocks *blocks, struct tw_record *records, uint32_t n)
{
    struct tw_log_block *block = (struct tw_log_block *)(void *)records;
    size_t bytes = n * sizeof *records;
    unsigned size = size_of(n);

    if (!blocks || n != tw_log_block_records(n) || size >= TW_LOG_BLOCK_SIZES ||
        bytes > blocks->most_bytes - blocks->bytes) {
        free_block(records, n);
        return;
    }
    block->next = blocks->free[size];
    blocks->free[size] = block;
    blocks->bytes += bytes;
}

void tw_log_blocks_clear(struct tw_log_blocks *blocks)
{
    for (unsigned i = 0; i < TW_LOG_BLOCK_SIZES; i++)
        for (struct tw_log_block *block = blocks->free[i], *next; block; block = next) {
            next = block->next;
            free_block(block, FEWEST << i);
        }
    *blocks = (struct tw_log_blocks) { .most_bytes = blocks->most_bytes, .plenty = blocks->plenty };
}
