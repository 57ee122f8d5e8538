/* SPDX-License-Identifier: MIT */
/*
 * Growing arrays with the calls of GLib's, whose failed allocations return to the guard (memory.h):
 * of elements, of bytes, of pointers.
 */
#ifndef TW_BASE_ARRAY_H
#define TW_BASE_ARRAY_H

#include <string.h>

#include <glib.h>

#include "base/memory.h"

/* ---- elements -------------------------------------------------------------------------------- */

typedef struct tw_array {
    char *data;
    guint len;
    guint capacity;
    guint size; /* of an element */
    guint owners;
    bool clears; /* new elements are zero */
    GDestroyNotify clear;
} tw_array;

/* Never terminated by a zero element. */
tw_array *tw_array_new(gboolean zero_terminated, gboolean clears, size_t size);
tw_array *tw_array_sized_new(gboolean zero_terminated, gboolean clears, size_t size, guint n);
tw_array *tw_array_copy(const tw_array *array);
/* Called for an element that is removed, or released with the array. */
void tw_array_set_clear_func(tw_array *array, GDestroyNotify clear);
tw_array *tw_array_ref(tw_array *array);
void tw_array_unref(tw_array *array);
/* @return the elements, for tw_free(), unless they are freed, too. */
char *tw_array_free(tw_array *array, gboolean elements);

/* Room for so many elements. */
void tw_array_reserve(tw_array *array, guint n);
void tw_array_set_size(tw_array *array, guint n);
void tw_array_insert_vals(tw_array *array, guint at, const void *elements, guint n);
void tw_array_remove_range(tw_array *array, guint at, guint n);
/* Stable. */
void tw_array_sort(tw_array *array, GCompareFunc compare);
bool tw_array_binary_search(const tw_array *array, const void *target, GCompareFunc compare,
                            guint *at);

#define tw_array_index(array, type, i) (((type *)(void *)(array)->data)[i])

static inline void tw_array_append_vals(tw_array *array, const void *elements, guint n)
{
    if (n > array->capacity - array->len)
        tw_array_reserve(array, array->len + n);
    if (n > 0 && elements && array->data)
        memcpy(array->data + (size_t)array->len * array->size, elements, (size_t)n * array->size);
    array->len += n;
}

static inline void tw_array_prepend_vals(tw_array *array, const void *elements, guint n)
{
    tw_array_insert_vals(array, 0, elements, n);
}

static inline void tw_array_remove_index(tw_array *array, guint at)
{
    tw_array_remove_range(array, at, 1);
}

static inline guint tw_array_get_element_size(const tw_array *array)
{
    return array->size;
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tw_array, tw_array_unref)

#define tw_array_append_val(array, value)     tw_array_append_vals(array, &(value), 1)
#define tw_array_insert_val(array, at, value) tw_array_insert_vals(array, at, &(value), 1)

/* ---- bytes ----------------------------------------------------------------------------------- */

typedef struct tw_byte_array {
    guint8 *data;
    guint len;
    guint capacity;
} tw_byte_array;

tw_byte_array *tw_byte_array_new(void);
tw_byte_array *tw_byte_array_sized_new(guint n);
tw_byte_array *tw_byte_array_append(tw_byte_array *array, const guint8 *bytes, guint n);
void tw_byte_array_set_size(tw_byte_array *array, guint n);
void tw_byte_array_remove_range(tw_byte_array *array, guint at, guint n);
/* @return the bytes, for tw_free(), unless they are freed, too. */
guint8 *tw_byte_array_free(tw_byte_array *array, gboolean bytes);
void tw_byte_array_unref(tw_byte_array *array);

/* ---- pointers -------------------------------------------------------------------------------- */

typedef struct tw_ptr_array {
    gpointer *pdata;
    guint len;
    guint capacity;
    GDestroyNotify free;
} tw_ptr_array;

tw_ptr_array *tw_ptr_array_new(void);
/* Called for a pointer that is removed, or released with the array. */
tw_ptr_array *tw_ptr_array_new_with_free_func(GDestroyNotify free);
void tw_ptr_array_add(tw_ptr_array *array, gpointer pointer);
void tw_ptr_array_insert(tw_ptr_array *array, guint at, gpointer pointer);
/* @return false: it is not there. */
bool tw_ptr_array_remove(tw_ptr_array *array, gconstpointer pointer);
void tw_ptr_array_remove_range(tw_ptr_array *array, guint at, guint n);
/* New ones are NULL. */
void tw_ptr_array_set_size(tw_ptr_array *array, guint n);
void tw_ptr_array_free(tw_ptr_array *array, gboolean pointers);
void tw_ptr_array_unref(tw_ptr_array *array);
/* Stable; compare gets pointers to the pointers. */
void tw_ptr_array_sort(tw_ptr_array *array, GCompareFunc compare);

static inline void tw_ptr_array_remove_index(tw_ptr_array *array, guint at)
{
    tw_ptr_array_remove_range(array, at, 1);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(tw_ptr_array, tw_ptr_array_unref)

#define tw_ptr_array_index(array, i) ((array)->pdata[i])

#endif
