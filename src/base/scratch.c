/* SPDX-License-Identifier: MIT */
#include "base/scratch.h"

#include <stdbool.h>
#include <string.h>

#include <glib.h>

#include "base/memory.h"
#include "base/sanitizer.h"

/* The first block fits a connection of a few hundred frames. */
#define FIRST_BYTES ((size_t)64 << 10)

/* Larger blocks are not kept, so that one giant connection does not occupy memory for ever. */
#define KEPT_BYTES ((size_t)4 << 20)

/* Larger blocks use their own pages, which grow without copying and leave no holes in the heap. */
#define PAGES_BYTES ((size_t)256 << 10)

struct tw_scratch_block {
    struct tw_scratch_block *older;
    size_t bytes;
    _Alignas(TW_SCRATCH_ALIGNMENT) unsigned char data[];
};

/* Size of a new block for the given number of bytes. */
static size_t block_bytes(const struct tw_scratch *s, size_t bytes)
{
    if (TW_ADDRESS_SANITIZER)
        return bytes;
    return MAX(bytes, MIN(s->block ? 2 * s->block->bytes : FIRST_BYTES, KEPT_BYTES));
}

static bool is_large(size_t bytes)
{
    return bytes >= PAGES_BYTES;
}

static void free_block(struct tw_scratch_block *block)
{
    if (is_large(block->bytes))
        tw_pages_free(block);
    else
        tw_free(block);
}

/* Push a block with the given number of bytes in use. */
static void use_block(struct tw_scratch *s, struct tw_scratch_block *block, size_t used)
{
    s->block = block;
    s->free = block->data + used;
    s->end = block->data + block->bytes;
}

/* Push a block of the given size, all of it in use. */
static void grow_block(struct tw_scratch *s, size_t bytes)
{
    size_t from = sizeof *s->block + s->block->bytes, to = sizeof *s->block + bytes;

    if (is_large(s->block->bytes)) {
        s->block = tw_pages_grow(s->block, to);
    } else if (is_large(bytes)) {
        struct tw_scratch_block *block = tw_pages_new(to);

        memcpy(block, s->block, from);
        tw_free(s->block);
        s->block = block;
    } else {
        s->block = tw_realloc(s->block, to);
    }
    s->block->bytes = bytes;
    use_block(s, s->block, bytes);
}

static void add_block(struct tw_scratch *s, size_t bytes)
{
    size_t size = block_bytes(s, bytes);
    struct tw_scratch_block *block =
        is_large(size) ? tw_pages_new(sizeof *block + size) : tw_malloc(sizeof *block + size);

    block->older = s->block;
    block->bytes = size;
    use_block(s, block, bytes);
}

void *tw_scratch_more(struct tw_scratch *s, size_t n, size_t element_size)
{
    const size_t most = (size_t)G_MAXSSIZE & ~(size_t)(TW_SCRATCH_ALIGNMENT - 1);
    size_t bytes;

    if (n == 0 && s->free)
        return s->free;
    /* Overflow: tw_malloc() fails. */
    if (!g_size_checked_mul(&bytes, n, element_size) || bytes > most)
        bytes = most;
    add_block(s, TW_ADDRESS_SANITIZER ? bytes : tw_scratch_rounded(bytes));
    if (TW_ADDRESS_SANITIZER)
        s->free = s->end = NULL;
    return s->block->data;
}

void tw_scratch_return(struct tw_scratch *s, void *newest)
{
#if TW_ADDRESS_SANITIZER
    struct tw_scratch_block *block = s->block;

    (void)newest;
    s->block = block->older;
    free_block(block);
#else
    s->free = newest;
#endif
}

/* The newest piece grows in place, together with its block if it is alone in it. */
static void *grow_newest(struct tw_scratch *s, unsigned char *piece, size_t bytes)
{
    if (TW_ADDRESS_SANITIZER || piece + bytes != s->free)
        return NULL;
    if ((size_t)(s->end - s->free) >= bytes) {
        s->free += bytes;
        return piece;
    }
    if (piece != s->block->data)
        return NULL;
    grow_block(s, 2 * bytes);
    return s->block->data;
}

void *tw_scratch_twice(struct tw_scratch *s, void *array, uint32_t *capacity, size_t element_size)
{
    size_t bytes = *capacity * element_size;
    void *twice;

    if (!array) {
        *capacity = 8;
        return tw_scratch_get(s, *capacity, element_size);
    }
    *capacity *= 2;
    twice = grow_newest(s, array, bytes);
    if (!twice) {
        twice = tw_scratch_get(s, *capacity, element_size);
        memcpy(twice, array, bytes);
    }
    return twice;
}

/* The newest block that may be kept is the largest of them. */
static bool is_worth_keeping(const struct tw_scratch_block *block)
{
    return !TW_ADDRESS_SANITIZER && block->bytes <= KEPT_BYTES;
}

void tw_scratch_reset(struct tw_scratch *s)
{
    struct tw_scratch_block *kept = NULL, *older;

    for (struct tw_scratch_block *b = s->block; b; b = older) {
        older = b->older;
        if (!kept && is_worth_keeping(b))
            kept = b;
        else
            free_block(b);
    }
    *s = (struct tw_scratch) { 0 };
    if (!kept)
        return;
    kept->older = NULL;
    use_block(s, kept, 0);
}

void tw_scratch_clear(struct tw_scratch *s)
{
    tw_scratch_reset(s);
    if (s->block)
        free_block(s->block);
    *s = (struct tw_scratch) { 0 };
}
