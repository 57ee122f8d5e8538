/* SPDX-License-Identifier: MIT */
/*
 * Large arrays on their own pages, where supported: they grow without copying and leave no hole in
 * the heap.
 */
#ifndef TW_BASE_PAGES_H
#define TW_BASE_PAGES_H

#include <stddef.h>

/* Uninitialised; out of memory aborts, like g_malloc(). */
void *tw_pages_new(size_t bytes);
void *tw_pages_grow(void *pages, size_t from_bytes, size_t to_bytes);
void tw_pages_free(void *pages, size_t bytes);

#endif
