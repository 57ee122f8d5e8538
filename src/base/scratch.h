/* SPDX-License-Identifier: MIT */
/*
 * Arena for the duration of one piece of work: blocks are reused by the next one, and pieces are
 * released all at once. Single-threaded.
 */
#ifndef TW_BASE_SCRATCH_H
#define TW_BASE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

struct tw_scratch_block;

/* Zero-initialised. */
struct tw_scratch {
    struct tw_scratch_block *block; /* newest block */
    unsigned char *free, *end;      /* free bytes in it */
};

/* Alignment of pieces. */
#define TW_SCRATCH_ALIGNMENT 16

static inline size_t tw_scratch_rounded(size_t bytes)
{
    return (bytes + TW_SCRATCH_ALIGNMENT - 1) & ~(size_t)(TW_SCRATCH_ALIGNMENT - 1);
}

/* Slow path: no room left in the block. */
void *tw_scratch_more(struct tw_scratch *scratch, size_t n, size_t element_size);

/* Uninitialised room for n elements, valid until the next reset. */
static inline void *tw_scratch_get(struct tw_scratch *scratch, size_t n, size_t element_size)
{
    size_t left = (size_t)(scratch->end - scratch->free);
    unsigned char *piece = scratch->free;

    if (n - 1 >= left / element_size) /* distinct pointer for n = 0 */
        return tw_scratch_more(scratch, n, element_size);
    scratch->free += tw_scratch_rounded(n * element_size);
    return piece;
}

/* Release the most recent piece, and no other behind it: the piece before may be in another block.
 */
void tw_scratch_return(struct tw_scratch *scratch, void *newest);

/* Reallocate the array to twice the size, at least 8. */
void *tw_scratch_twice(struct tw_scratch *scratch, void *array, uint32_t *capacity,
                       size_t element_size);

/* The array of n elements with room for one more; *capacity is updated. */
static inline void *tw_scratch_grow(struct tw_scratch *scratch, void *array, uint32_t n,
                                    uint32_t *capacity, size_t element_size)
{
    return n < *capacity ? array : tw_scratch_twice(scratch, array, capacity, element_size);
}

/* Release all pieces; one block is kept for reuse. */
void tw_scratch_reset(struct tw_scratch *scratch);

/* Release all pieces and all blocks. */
void tw_scratch_clear(struct tw_scratch *scratch);

#endif
