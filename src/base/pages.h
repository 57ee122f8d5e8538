/* SPDX-License-Identifier: MIT */
/*
 * Large arrays on pages of their own, where the system has such: they grow without being copied,
 * and leave no hole in the heap that nothing fits into.
 */
#ifndef TW_BASE_PAGES_H
#define TW_BASE_PAGES_H

#include <stddef.h>

/* Not set to anything; without memory the program ends, as with g_malloc(). */
void *tw_pages_new(size_t bytes);
void *tw_pages_grow(void *pages, size_t from_bytes, size_t to_bytes);
void tw_pages_free(void *pages, size_t bytes);

#endif
