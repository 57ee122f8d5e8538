/* SPDX-License-Identifier: MIT */
/* Pointers to the elements are merged, so that a large element moves only once. */
#include "base/sort.h"

#include <string.h>

#include "base/memory.h"

typedef int compare_fn(const void *a, const void *b);

/* Small arrays are sorted on the stack. */
#define FEW 64

/* Merge two sorted neighbours; a stays first where both are equal. */
static void merge(const void **to, const void *const *a, size_t n_a, const void *const *b,
                  size_t n_b, compare_fn *compare)
{
    while (n_a > 0 && n_b > 0)
        if (compare(*a, *b) <= 0)
            *to++ = *a++, n_a--;
        else
            *to++ = *b++, n_b--;
    /* The rest of b is in its place. */
    if (n_a > 0)
        memcpy(to, a, n_a * sizeof *to);
}

/* Depth: log2(n). Room has n places. */
static void sort(const void **at, size_t n, const void **room, compare_fn *compare)
{
    size_t half = n / 2;

    if (n < 2)
        return;
    sort(at, half, room, compare);
    sort(at + half, n - half, room, compare);
    if (compare(at[half - 1], at[half]) <= 0)
        return;
    memcpy(room, at, half * sizeof *at);
    merge(at, room, half, at + half, n - half, compare);
}

/* Put the elements in the order of the pointers to them. */
static void arrange(char *elements, const void *const *at, size_t n, size_t size, char *room)
{
    for (size_t i = 0; i < n; i++)
        memcpy(room + i * size, at[i], size);
    memcpy(elements, room, n * size);
}

static bool is_sorted(const char *elements, size_t n, size_t size, compare_fn *compare)
{
    for (size_t i = 1; i < n; i++)
        if (compare(elements + (i - 1) * size, elements + i * size) > 0)
            return false;
    return true;
}

void tw_sort(void *elements, size_t n, size_t size, compare_fn *compare)
{
    const void *few[FEW + FEW / 2], **at = few;
    char *copy;

    if (n < 2 || is_sorted(elements, n, size, compare))
        return;
    if (n > FEW)
        at = tw_malloc_n(n + n / 2, sizeof *at);
    copy = tw_malloc_n(n, size);
    for (size_t i = 0; i < n; i++)
        at[i] = (const char *)elements + i * size;
    sort(at, n, at + n, compare);
    arrange(elements, at, n, size, copy);
    tw_free(copy);
    if (at != few)
        tw_free((void *)at);
}
