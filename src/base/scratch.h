/* SPDX-License-Identifier: MIT */
/*
 * Memory for what lives as long as one piece of work: handed out piece by piece from a block that
 * the next piece of work takes up again, and given back all at once. For one thread.
 */
#ifndef TW_BASE_SCRATCH_H
#define TW_BASE_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

struct tw_scratch_block;

/* Begins as zeroes. */
struct tw_scratch {
    struct tw_scratch_block *block; /* the newest */
    unsigned char *free, *end;      /* what is left of it */
};

/* Pieces begin at multiples of it. */
#define TW_SCRATCH_ALIGNMENT 16

static inline size_t tw_scratch_rounded(size_t bytes)
{
    return (bytes + TW_SCRATCH_ALIGNMENT - 1) & ~(size_t)(TW_SCRATCH_ALIGNMENT - 1);
}

/* The same where there is no room left. */
void *tw_scratch_more(struct tw_scratch *scratch, size_t n, size_t element_size);

/* Room for n elements, not set to anything. Valid until the next reset. */
static inline void *tw_scratch_get(struct tw_scratch *scratch, size_t n, size_t element_size)
{
    size_t left = (size_t)(scratch->end - scratch->free);
    unsigned char *piece = scratch->free;

    if (n - 1 >= left / element_size) /* nothing wants a place, too */
        return tw_scratch_more(scratch, n, element_size);
    scratch->free += tw_scratch_rounded(n * element_size);
    return piece;
}

/* The piece that was handed out last is not needed any more. */
void tw_scratch_return(struct tw_scratch *scratch, void *newest);

/* The array with room for twice as many, 8 at least. */
void *tw_scratch_twice(struct tw_scratch *scratch, void *array, uint32_t *capacity,
                       size_t element_size);

/* The array of n elements with room for one more; *capacity is what there is room for. */
static inline void *tw_scratch_grow(struct tw_scratch *scratch, void *array, uint32_t n,
                                    uint32_t *capacity, size_t element_size)
{
    return n < *capacity ? array : tw_scratch_twice(scratch, array, capacity, element_size);
}

/* Take everything back; a block is kept for what comes next. */
void tw_scratch_reset(struct tw_scratch *scratch);

/* Take everything back and keep nothing. */
void tw_scratch_clear(struct tw_scratch *scratch);

#endif
