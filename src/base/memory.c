/* SPDX-License-Identifier: MIT */
#include "base/memory.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "base/sanitizer.h"

/* mremap() is Linux only. */
#if defined(__linux__) && !TW_ADDRESS_SANITIZER && !TW_THREAD_SANITIZER
#include <sys/mman.h>
#define HAS_PAGES 1
#else
#define HAS_PAGES 0
#endif

/* In front of what the caller gets. */
struct block {
    struct block *next, *previous;
    struct tw_heap *heap; /* or NULL */
    size_t pages;         /* bytes of a block on its own pages; 0: on malloc()'s heap */
};

/* A block in pages begins with a cache line. */
#define BEFORE_HEADER (64 - sizeof(struct block))

struct tw_heap {
    atomic_flag locked; /* protects the lists */
    struct block blocks;
    struct tw_undo *undo; /* the latest first */
    atomic_bool failed;
};

/* The innermost guard of this thread. Nothing else tells an allocation deep below where to return
 * to. */
static _Thread_local struct tw_guard *innermost;

/* ---- the list of blocks ---------------------------------------------------------------------- */

/* Held for a few instructions: threads that share a heap hardly ever meet. */
static void lock(struct tw_heap *heap)
{
    while (atomic_flag_test_and_set_explicit(&heap->locked, memory_order_acquire))
        sched_yield();
}

static void unlock(struct tw_heap *heap)
{
    atomic_flag_clear_explicit(&heap->locked, memory_order_release);
}

static void *link_block(struct block *b, struct tw_heap *heap)
{
    b->heap = heap;
    if (!heap)
        return b + 1;
    lock(heap);
    b->next = heap->blocks.next;
    b->previous = &heap->blocks;
    b->next->previous = b;
    heap->blocks.next = b;
    unlock(heap);
    return b + 1;
}

static struct block *unlink_block(void *block)
{
    struct block *b = (struct block *)block - 1;

    if (!b->heap)
        return b;
    lock(b->heap);
    b->next->previous = b->previous;
    b->previous->next = b->next;
    unlock(b->heap);
    return b;
}

static void release(struct block *b)
{
#if HAS_PAGES
    if (b->pages) {
        munmap((char *)b - BEFORE_HEADER, b->pages);
        return;
    }
#endif
    free(b);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

struct tw_heap *tw_heap_current(void)
{
    return innermost ? innermost->heap : NULL;
}

struct tw_heap *tw_heap_of(const void *block)
{
    return ((const struct block *)block - 1)->heap;
}

/* Room for a header and bytes. */
static size_t with_header(size_t bytes)
{
    if (bytes > PTRDIFF_MAX - sizeof(struct block))
        tw_out_of_memory(bytes);
    return sizeof(struct block) + bytes;
}

void *tw_try_malloc(size_t bytes)
{
    struct block *b;

    if (bytes == 0 || bytes > PTRDIFF_MAX - sizeof *b)
        return NULL;
    b = malloc(sizeof *b + bytes);
    if (!b)
        return NULL;
    b->pages = 0;
    return link_block(b, tw_heap_current());
}

void *tw_malloc(size_t bytes)
{
    void *block = tw_try_malloc(bytes);

    if (!block && bytes > 0)
        tw_out_of_memory(bytes);
    return block;
}

void *tw_malloc0(size_t bytes)
{
    struct block *b;

    if (bytes == 0)
        return NULL;
    b = calloc(1, with_header(bytes));
    if (!b)
        tw_out_of_memory(bytes);
    return link_block(b, tw_heap_current());
}

static size_t product(size_t n, size_t size)
{
    size_t bytes;

    if (!g_size_checked_mul(&bytes, n, size))
        tw_out_of_memory(SIZE_MAX);
    return bytes;
}

void *tw_malloc_n(size_t n, size_t size)
{
    return tw_malloc(product(n, size));
}

void *tw_malloc0_n(size_t n, size_t size)
{
    return tw_malloc0(product(n, size));
}

void *tw_realloc(void *block, size_t bytes)
{
    struct tw_heap *heap;
    struct block *b, *grown;

    if (!block)
        return tw_malloc(bytes);
    if (bytes == 0) {
        tw_free(block);
        return NULL;
    }
    bytes = with_header(bytes);
    b = unlink_block(block);
    heap = b->heap;
    grown = realloc(b, bytes);
    if (!grown) {
        link_block(b, heap);
        tw_out_of_memory(bytes);
    }
    return link_block(grown, heap);
}

void *tw_realloc_n(void *block, size_t n, size_t size)
{
    return tw_realloc(block, product(n, size));
}

void tw_free(void *block)
{
    if (block)
        release(unlink_block(block));
}

void *tw_memdup2(const void *bytes, size_t n)
{
    return bytes && n ? memcpy(tw_malloc(n), bytes, n) : NULL;
}

/* ---- pages ----------------------------------------------------------------------------------- */

#if HAS_PAGES

static size_t with_line(size_t bytes)
{
    return with_header(bytes) + BEFORE_HEADER;
}

static void *link_pages(char *pages, size_t all, struct tw_heap *heap)
{
    struct block *b = (struct block *)(void *)(pages + BEFORE_HEADER);

    b->pages = all;
    return link_block(b, heap);
}

void *tw_pages_new(size_t bytes)
{
    size_t all = with_line(bytes);
    void *pages = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        tw_out_of_memory(bytes);
    return link_pages(pages, all, tw_heap_current());
}

void *tw_pages_grow(void *block, size_t bytes)
{
    size_t all = with_line(bytes);
    struct block *b = unlink_block(block);
    struct tw_heap *heap = b->heap;
    void *pages = mremap((char *)b - BEFORE_HEADER, b->pages, all, MREMAP_MAYMOVE);

    if (pages == MAP_FAILED) {
        link_block(b, heap);
        tw_out_of_memory(bytes);
    }
    return link_pages(pages, all, heap);
}

#else

void *tw_pages_new(size_t bytes)
{
    return tw_malloc(bytes);
}

void *tw_pages_grow(void *pages, size_t bytes)
{
    return tw_realloc(pages, bytes);
}

#endif

void tw_pages_free(void *pages)
{
    tw_free(pages);
}

/* ---- heaps ----------------------------------------------------------------------------------- */

struct tw_heap *tw_heap_new(void)
{
    struct tw_heap *heap = calloc(1, sizeof *heap);

    if (!heap)
        return NULL;
    atomic_flag_clear(&heap->locked);
    heap->blocks.next = heap->blocks.previous = &heap->blocks;
    return heap;
}

bool tw_heap_failed(const struct tw_heap *heap)
{
    return heap->failed;
}

void tw_heap_let_go(struct tw_heap *heap)
{
    if (!heap)
        return;
    for (struct block *b = heap->blocks.next; b != &heap->blocks; b = b->next)
        b->heap = NULL;
    free(heap);
}

void tw_heap_drop(struct tw_heap *heap)
{
    if (!heap)
        return;
    for (struct block *b = heap->blocks.next, *next; b != &heap->blocks; b = next) {
        next = b->next;
        release(b);
    }
    free(heap);
}

/* ---- guards ---------------------------------------------------------------------------------- */

static void begin(struct tw_guard *guard, struct tw_heap *heap)
{
    guard->outer = innermost;
    guard->heap = heap;
    guard->is_call = guard->is_part = false;
    innermost = guard;
}

void tw_guard_begin(struct tw_guard *guard, struct tw_heap *heap)
{
    begin(guard, heap);
    if (!heap)
        tw_out_of_memory(sizeof *heap);
}

void tw_guard_begin_part(struct tw_guard *guard, struct tw_heap *heap)
{
    begin(guard, heap);
    guard->is_part = true;
}

void tw_guard_end(const struct tw_guard *guard)
{
    innermost = guard->outer;
}

void tw_call_begin(struct tw_guard *guard)
{
    tw_guard_begin(guard, tw_heap_new());
    guard->is_call = true;
}

void tw_call_end(const struct tw_guard *guard)
{
    tw_guard_end(guard);
    tw_heap_let_go(guard->heap);
}

static void undo_all(struct tw_heap *heap)
{
    while (heap->undo) {
        struct tw_undo *undo = heap->undo;

        tw_undo_remove(undo);
        undo->undo(undo->object);
    }
}

void tw_out_of_memory(size_t bytes)
{
    struct tw_guard *guard = innermost;

    if (!guard)
        g_error("failed to allocate %" G_GSIZE_FORMAT " bytes", bytes);
    innermost = guard->outer;
    if (guard->heap) {
        guard->heap->failed = true;
        if (!guard->is_part)
            undo_all(guard->heap);
        if (guard->is_call)
            tw_heap_drop(guard->heap);
    }
    longjmp(guard->back, 1);
}

void tw_undo_add(struct tw_undo *undo, void (*function)(void *object), void *object)
{
    struct tw_heap *heap = tw_heap_current();

    *undo = (struct tw_undo) { .heap = heap, .undo = function, .object = object };
    if (!heap)
        return;
    lock(heap);
    undo->next = heap->undo;
    if (undo->next)
        undo->next->previous = undo;
    heap->undo = undo;
    unlock(heap);
}

void tw_undo_remove(struct tw_undo *undo)
{
    struct tw_heap *heap = undo->heap;

    if (!heap)
        return;
    lock(heap);
    if (undo->next)
        undo->next->previous = undo->previous;
    if (undo->previous)
        undo->previous->next = undo->next;
    else
        heap->undo = undo->next;
    unlock(heap);
    undo->heap = NULL;
}
