/* SPDX-License-Identifier: MIT */
#include "base/array.h"

#include <stdint.h>

#include "base/sort.h"

/* The least room in elements. */
#define LEAST 8

/* Room for n elements: the double of what there was, unless n is more. */
static void *grow(void *data, guint *capacity, guint n, size_t size)
{
    guint room = *capacity > G_MAXUINT / 2 ? G_MAXUINT : MAX(2 * *capacity, LEAST);

    room = MAX(room, n);
    data = tw_realloc_n(data, room, size);
    *capacity = room;
    return data;
}

/* ---- elements -------------------------------------------------------------------------------- */

tw_array *tw_array_sized_new(gboolean zero_terminated, gboolean clears, size_t size, guint n)
{
    tw_array *array = tw_new(tw_array, 1);

    (void)zero_terminated;
    *array = (tw_array) { .size = (guint)size, .owners = 1, .clears = clears };
    if (n > 0) {
        array->data = tw_malloc_n(n, size);
        array->capacity = n;
    }
    return array;
}

tw_array *tw_array_new(gboolean zero_terminated, gboolean clears, size_t size)
{
    return tw_array_sized_new(zero_terminated, clears, size, 0);
}

tw_array *tw_array_copy(const tw_array *from)
{
    tw_array *copy = tw_array_sized_new(FALSE, from->clears, from->size, from->len);

    copy->clear = from->clear;
    tw_array_append_vals(copy, from->data, from->len);
    return copy;
}

void tw_array_set_clear_func(tw_array *array, GDestroyNotify clear)
{
    array->clear = clear;
}

tw_array *tw_array_ref(tw_array *array)
{
    array->owners++;
    return array;
}

static char *element(const tw_array *array, guint at)
{
    return array->data + (size_t)at * array->size;
}

static void clear_elements(tw_array *array, guint at, guint n)
{
    for (guint i = at; array->clear && i < at + n; i++)
        array->clear(element(array, i));
}

void tw_array_unref(tw_array *array)
{
    if (--array->owners > 0)
        return;
    clear_elements(array, 0, array->len);
    tw_free(array->data);
    tw_free(array);
}

char *tw_array_free(tw_array *array, gboolean elements)
{
    char *data = array->data;

    if (elements) {
        tw_array_unref(array);
        return NULL;
    }
    tw_free(array);
    return data;
}

void tw_array_reserve(tw_array *array, guint n)
{
    if (n < array->len)
        tw_out_of_memory(SIZE_MAX);
    if (n > array->capacity)
        array->data = grow(array->data, &array->capacity, n, array->size);
}

void tw_array_set_size(tw_array *array, guint n)
{
    if (n > array->len) {
        tw_array_reserve(array, n);
        if (array->clears)
            memset(element(array, array->len), 0, (size_t)(n - array->len) * array->size);
    } else {
        clear_elements(array, n, array->len - n);
    }
    array->len = n;
}

void tw_array_insert_vals(tw_array *array, guint at, const void *elements, guint n)
{
    if (n == 0)
        return;
    tw_array_reserve(array, array->len + n);
    memmove(element(array, at + n), element(array, at), (size_t)(array->len - at) * array->size);
    memcpy(element(array, at), elements, (size_t)n * array->size);
    array->len += n;
}

void tw_array_remove_range(tw_array *array, guint at, guint n)
{
    if (n == 0)
        return;
    clear_elements(array, at, n);
    memmove(element(array, at), element(array, at + n),
            (size_t)(array->len - at - n) * array->size);
    array->len -= n;
}

void tw_array_sort(tw_array *array, GCompareFunc compare)
{
    tw_sort(array->data, array->len, array->size, compare);
}

bool tw_array_binary_search(const tw_array *array, const void *target, GCompareFunc compare,
                            guint *at)
{
    guint low = 0, high = array->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;
        int order = compare(element(array, middle), target);

        if (order == 0) {
            if (at)
                *at = middle;
            return true;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

tw_byte_array *tw_byte_array_sized_new(guint n)
{
    tw_byte_array *array = tw_new0(tw_byte_array, 1);

    array->data = tw_malloc(n);
    array->capacity = n;
    return array;
}

tw_byte_array *tw_byte_array_new(void)
{
    return tw_byte_array_sized_new(0);
}

void tw_byte_array_set_size(tw_byte_array *array, guint n)
{
    if (n > array->capacity)
        array->data = grow(array->data, &array->capacity, n, 1);
    array->len = n;
}

tw_byte_array *tw_byte_array_append(tw_byte_array *array, const guint8 *bytes, guint n)
{
    guint at = array->len;

    if (n > G_MAXUINT - at)
        tw_out_of_memory(SIZE_MAX);
    tw_byte_array_set_size(array, at + n);
    if (n > 0)
        memcpy(array->data + at, bytes, n);
    return array;
}

void tw_byte_array_remove_range(tw_byte_array *array, guint at, guint n)
{
    if (n == 0)
        return;
    memmove(array->data + at, array->data + at + n, array->len - at - n);
    array->len -= n;
}

guint8 *tw_byte_array_free(tw_byte_array *array, gboolean bytes)
{
    guint8 *data = array->data;

    tw_free(array);
    if (!bytes)
        return data;
    tw_free(data);
    return NULL;
}

void tw_byte_array_unref(tw_byte_array *array)
{
    tw_byte_array_free(array, TRUE);
}

/* ---- pointers -------------------------------------------------------------------------------- */

tw_ptr_array *tw_ptr_array_new_with_free_func(GDestroyNotify free)
{
    tw_ptr_array *array = tw_new0(tw_ptr_array, 1);

    array->free = free;
    return array;
}

tw_ptr_array *tw_ptr_array_new(void)
{
    return tw_ptr_array_new_with_free_func(NULL);
}

static void reserve_pointers(tw_ptr_array *array, guint n)
{
    if (n > array->capacity)
        array->pdata = grow(array->pdata, &array->capacity, n, sizeof *array->pdata);
}

void tw_ptr_array_add(tw_ptr_array *array, gpointer pointer)
{
    reserve_pointers(array, array->len + 1);
    array->pdata[array->len++] = pointer;
}

void tw_ptr_array_insert(tw_ptr_array *array, guint at, gpointer pointer)
{
    reserve_pointers(array, array->len + 1);
    memmove(array->pdata + at + 1, array->pdata + at, (array->len - at) * sizeof *array->pdata);
    array->pdata[at] = pointer;
    array->len++;
}

static void free_pointers(tw_ptr_array *array, guint at, guint n)
{
    for (guint i = at; array->free && i < at + n; i++)
        if (array->pdata[i])
            array->free(array->pdata[i]);
}

void tw_ptr_array_remove_range(tw_ptr_array *array, guint at, guint n)
{
    if (n == 0)
        return;
    free_pointers(array, at, n);
    memmove(array->pdata + at, array->pdata + at + n, (array->len - at - n) * sizeof *array->pdata);
    array->len -= n;
}

bool tw_ptr_array_remove(tw_ptr_array *array, gconstpointer pointer)
{
    for (guint i = 0; i < array->len; i++)
        if (array->pdata[i] == pointer) {
            tw_ptr_array_remove_range(array, i, 1);
            return true;
        }
    return false;
}

void tw_ptr_array_set_size(tw_ptr_array *array, guint n)
{
    if (n > array->len) {
        reserve_pointers(array, n);
        memset(array->pdata + array->len, 0, (n - array->len) * sizeof *array->pdata);
    } else {
        free_pointers(array, n, array->len - n);
    }
    array->len = n;
}

void tw_ptr_array_unref(tw_ptr_array *array)
{
    free_pointers(array, 0, array->len);
    tw_free(array->pdata);
    tw_free(array);
}

void tw_ptr_array_free(tw_ptr_array *array, gboolean pointers)
{
    (void)pointers;
    tw_ptr_array_unref(array);
}

void tw_ptr_array_sort(tw_ptr_array *array, GCompareFunc compare)
{
    tw_sort(array->pdata, array->len, sizeof *array->pdata, compare);
}
