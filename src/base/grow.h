/* SPDX-License-Identifier: MIT */
/*
 * Arrays that grow by doubling and are filled in place, without a call and a copy per element.
 */
#ifndef TW_BASE_GROW_H
#define TW_BASE_GROW_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* Reallocate the array of n elements to twice the size, at least 8. `first`, if used, is not
 * heap memory; release the result with tw_free(). */
void *tw_grow_from(void *array, const void *first, uint32_t n, uint32_t *capacity,
                   size_t element_size);

#endif
