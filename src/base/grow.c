/* SPDX-License-Identifier: MIT */
#include "base/grow.h"

#include <glib.h>

void *tw_grow_twice(void *array, uint32_t *capacity, size_t element_size)
{
    *capacity = *capacity ? 2 * *capacity : 8;
    return g_realloc_n(array, *capacity, element_size);
}
