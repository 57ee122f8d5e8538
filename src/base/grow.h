/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by doubling and are filled in place: where elements come by the million, a call
 * and a copy for each is most of their cost.
 */
#ifndef TW_BASE_GROW_H
#define TW_BASE_GROW_H

#include <stddef.h>
#include <stdint.h>

/* The array of n elements with room for twice as many, 8 at least; first, when it is there, is
 * memory that is not the heap's. g_free() releases what comes back. */
void *tw_grow_from(void *array, const void *first, uint32_t n, uint32_t *capacity,
                   size_t element_size);

#endif
