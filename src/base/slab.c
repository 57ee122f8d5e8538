/* SPDX-License-Identifier: MIT */
#include "base/slab.h"

#include <glib.h>

#include "base/memory.h"

/* Blocks per chunk. */
#define CHUNK 64

#define CACHE_LINE 64

/* Prefix of a free block, and of the first block of a chunk. */
struct tw_slab_link {
    struct tw_slab_link *next;
};

/* Prefetch the next free block, which is probably not in the cache. */
static void fetch_free(const struct tw_slab *slab)
{
    for (size_t at = 0; slab->free && at < slab->size; at += CACHE_LINE)
        __builtin_prefetch((const char *)slab->free + at, 1);
}

void *tw_slab_take(struct tw_slab *slab)
{
    struct tw_slab_link *link = slab->free;

    if (link) {
        slab->free = link->next;
        fetch_free(slab);
        return link;
    }
    if (slab->left == 0) {
        link = tw_malloc(sizeof *link + CHUNK * slab->size);
        link->next = slab->chunks;
        slab->chunks = link;
        slab->left = CHUNK;
    }
    return (char *)(slab->chunks + 1) + --slab->left * slab->size;
}

void tw_slab_give(struct tw_slab *slab, void *block)
{
    struct tw_slab_link *link = block;

    link->next = slab->free;
    slab->free = link;
}

void tw_slab_clear(struct tw_slab *slab)
{
    for (struct tw_slab_link *chunk = slab->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        tw_free(chunk);
    }
    *slab = (struct tw_slab) { .size = slab->size };
}
