/* SPDX-License-Identifier: MIT */
#include "base/grow.h"

#include <string.h>

#include <glib.h>

#include "base/memory.h"

static void *grow_twice(void *array, uint32_t *capacity, size_t element_size)
{
    *capacity = *capacity ? 2 * *capacity : 8;
    return tw_realloc_n(array, *capacity, element_size);
}

void *tw_grow_from(void *array, const void *first, uint32_t n, uint32_t *capacity,
                   size_t element_size)
{
    void *grown = grow_twice(array == first ? NULL : array, capacity, element_size);

    if (array == first && n > 0)
        memcpy(grown, first, n * element_size);
    return grown;
}
