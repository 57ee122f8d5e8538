/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by doubling and are filled in place: where elements come by the million, a call
 * and a copy for each is most of their cost.
 */
#ifndef TW_BASE_GROW_H
#define TW_BASE_GROW_H

#include <stddef.h>
#include <stdint.h>

/* The array with room for twice as many, 8 at least; g_free() releases it. */
void *tw_grow_twice(void *array, uint32_t *capacity, size_t element_size);

/* Likewise of one whose first elements may lie in memory that is not the heap's. */
void *tw_grow_from(void *array, const void *first, uint32_t n, uint32_t *capacity,
                   size_t element_size);

/* The array of n elements with room for one more; *capacity is what there is room for. */
static inline void *tw_grow(void *array, uint32_t n, uint32_t *capacity, size_t element_size)
{
    return n < *capacity ? array : tw_grow_twice(array, capacity, element_size);
}

#endif
