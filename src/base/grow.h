/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by doubling and are filled in place: where elements come by the million, a call
 * and a copy for each is most of their cost.
 */
#ifndef TW_BASE_GROW_H
#define TW_BASE_GROW_H

#include <stdint.h>

#include <glib.h>

/* The array of n elements with room for one more; *capacity is what there is room for. */
static inline void *tw_grow(void *array, uint32_t n, uint32_t *capacity, size_t element_size)
{
    if (n < *capacity)
        return array;
    *capacity = *capacity ? 2 * *capacity : 16;
    return g_realloc_n(array, *capacity, element_size);
}

#endif
