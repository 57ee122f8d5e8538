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
    size_t used;                    /* bytes of it */
};

/* Room for n elements, not set to anything. Valid until the next reset. */
void *tw_scratch_get(struct tw_scratch *scratch, size_t n, size_t element_size);

/* The piece that was handed out last is not needed any more. */
void tw_scratch_return(struct tw_scratch *scratch, const void *newest);

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
