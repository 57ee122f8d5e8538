/* SPDX-License-Identifier: MIT */
/*
 * Memory whose end is an error to the caller, not to the process. A public function guards what it
 * does; an allocation that fails anywhere below returns to the guard.
 *
 * A heap lists the blocks of a call, or of a handle such as a session: what was in the works when
 * an allocation failed is taken apart by nobody, and is dropped with its heap.
 */
#ifndef TW_BASE_MEMORY_H
#define TW_BASE_MEMORY_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* ---- blocks: of the heap of this thread's guard, if it has one; else failure ends the process. */

/* Like those of GLib: NULL for 0 bytes; released by tw_free(), on any thread. */
void *tw_malloc(size_t bytes);
void *tw_malloc0(size_t bytes);
/* NULL also if out of memory: for what goes on without it, or holds a lock. */
void *tw_try_malloc(size_t bytes);
void *tw_malloc_n(size_t n, size_t size);
void *tw_malloc0_n(size_t n, size_t size);
/* A block stays in the heap it is from. */
void *tw_realloc(void *block, size_t bytes);
void *tw_realloc_n(void *block, size_t n, size_t size);
void tw_free(void *block);

#define tw_new(type, n)          ((type *)tw_malloc_n(n, sizeof(type)))
#define tw_new0(type, n)         ((type *)tw_malloc0_n(n, sizeof(type)))
#define tw_renew(type, block, n) ((type *)tw_realloc_n(block, n, sizeof(type)))

/* NULL for NULL or 0 bytes. */
void *tw_memdup2(const void *bytes, size_t n);

/* Large ones on their own pages, where supported: they grow without copying. Uninitialised. */
void *tw_pages_new(size_t bytes);
void *tw_pages_grow(void *pages, size_t bytes);
void tw_pages_free(void *pages);

static inline void tw_free_at(void *pointer)
{
    tw_free(*(void **)pointer);
}

/* Released at the end of its scope. */
#define tw_autofree __attribute__((cleanup(tw_free_at)))

/* Leave for this thread's guard, as an allocation that fails does. */
_Noreturn void tw_out_of_memory(size_t bytes);

/* ---- heaps ----------------------------------------------------------------------------------- */

struct tw_heap;

/* @return NULL if out of memory. */
struct tw_heap *tw_heap_new(void);

/* Did an allocation fail in it? Then what it holds is not to be used. */
bool tw_heap_failed(const struct tw_heap *heap);

/* End a heap: its blocks live on, each on its own; or are released, too. NULL is allowed. */
void tw_heap_let_go(struct tw_heap *heap);
void tw_heap_drop(struct tw_heap *heap);

/* ---- guards ---------------------------------------------------------------------------------- */

struct tw_guard {
    jmp_buf back;
    struct tw_guard *outer;
    struct tw_heap *heap;
    bool is_call, is_part;
};

/*
 *     struct tw_guard guard;
 *
 *     if (TW_FAILED(guard))
 *         return TCPWHY_ERR_MEMORY;
 *     tw_call_begin(&guard);
 *     ...
 *     tw_call_end(&guard);
 *
 * Variables that change in between are undefined after a failure; guards nest.
 */
#define TW_FAILED(guard) (setjmp((guard).back) != 0)

/* A call has a heap of its own. Its blocks live on, or are gone after a failure. */
void tw_call_begin(struct tw_guard *guard);
void tw_call_end(const struct tw_guard *guard);

/* A call for a handle, with that heap; NULL is a failure. The caller ends the heap. */
void tw_guard_begin(struct tw_guard *guard, struct tw_heap *heap);
void tw_guard_end(const struct tw_guard *guard);

/* A part of the work, on another thread, or of a report that is read; NULL: blocks on their own.
 * The caller goes on or fails in turn: nothing is undone before. */
void tw_guard_begin_part(struct tw_guard *guard, struct tw_heap *heap);

/* The heap of this thread's guard; NULL without. */
struct tw_heap *tw_heap_current(void);

/* The heap that a block is in; NULL: it is on its own. */
struct tw_heap *tw_heap_of(const void *block);

/* An action that a failure must undo, the latest first: files, threads, memory of other libraries.
 * It stands in a block of the heap, or on the stack below the guard. */
struct tw_undo {
    struct tw_undo *next, *previous;
    struct tw_heap *heap;
    void (*undo)(void *object);
    void *object;
};

void tw_undo_add(struct tw_undo *undo, void (*function)(void *object), void *object);
void tw_undo_remove(struct tw_undo *undo);

#endif
