/* SPDX-License-Identifier: MIT */
/*
 * Many small blocks of one size that come and go, and end together: given back one by one they are
 * used again, and all are released without a look at any. For one thread.
 */
#ifndef TW_BASE_SLAB_H
#define TW_BASE_SLAB_H

#include <stddef.h>

struct tw_slab {
    size_t size;                 /* of a block: that of a pointer at least, a multiple of 8 */
    struct tw_slab_link *free;   /* blocks that were given back */
    struct tw_slab_link *chunks; /* what all blocks lie in, the newest first */
    size_t left;                 /* blocks of the newest chunk that were never taken */
};

/* Begins as zeroes but for its size. A block is not set to anything. */
void *tw_slab_take(struct tw_slab *slab);
void tw_slab_give(struct tw_slab *slab, void *block);

/* Release all, whether given back or not. */
void tw_slab_clear(struct tw_slab *slab);

#endif
