/* SPDX-License-Identifier: MIT */
/* Stable sort, in n log n comparisons whatever the order. */
#ifndef TW_BASE_SORT_H
#define TW_BASE_SORT_H

#include <stddef.h>

/* Needs memory, of this thread's guard (memory.h). */
void tw_sort(void *elements, size_t n, size_t size, int (*compare)(const void *a, const void *b));

#endif
