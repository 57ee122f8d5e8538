/* SPDX-License-Identifier: MIT */
/*
 * Fixed-size blocks with a free list, released all at once. Single-threaded.
 */
#ifndef TW_BASE_SLAB_H
#define TW_BASE_SLAB_H

#include <stddef.h>

struct tw_slab {
    size_t size;                 /* block size: at least a pointer, a multiple of 8 */
    struct tw_slab_link *free;   /* free list */
    struct tw_slab_link *chunks; /* all chunks, newest first */
    size_t left;                 /* unused blocks of the newest chunk */
};

/* Zero-initialised except for the size. Blocks are uninitialised. */
void *tw_slab_take(struct tw_slab *slab);
void tw_slab_give(struct tw_slab *slab, void *block);

/* Release all chunks. */
void tw_slab_clear(struct tw_slab *slab);

#endif
