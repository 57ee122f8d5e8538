/* SPDX-License-Identifier: MIT */
/* A record batch: a struct array with columns as children, which own the buffers. */
#include "base/array.h"
#include "tables/arrow.h"

#define MOST_BUFFERS 3 /* validity, offsets, values */

struct buffers {
    void *owned[MOST_BUFFERS];
    const void *shown[MOST_BUFFERS];
};

/* A child may have been moved out, as Arrow allows; its release is NULL then. */
static void release(struct ArrowArray *array)
{
    struct buffers *buffers = array->private_data;

    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
        tw_free(array->children[i]);
    }
    for (int64_t i = 0; i < array->n_buffers; i++)
        tw_free(buffers->owned[i]);
    tw_free(buffers);
    tw_free(array->children);
    array->release = NULL;
}

static struct ArrowArray *column(struct tw_cells *cells)
{
    tw_byte_array *const parts[MOST_BUFFERS] = { cells->valid, cells->offsets, cells->values };
    struct ArrowArray *array = tw_new0(struct ArrowArray, 1);
    struct buffers *buffers = tw_new0(struct buffers, 1);
    int n = 0;

    for (int i = 0; i < MOST_BUFFERS; i++) {
        if (parts[i]) {
            buffers->owned[n] = tw_byte_array_free(parts[i], FALSE);
            buffers->shown[n] = buffers->owned[n];
            n++;
        }
    }
    *array = (struct ArrowArray) {
        .length = cells->n,
        .null_count = cells->nulls,
        .n_buffers = n,
        .buffers = buffers->shown,
        .release = release,
        .private_data = buffers,
    };
    return array;
}

void tw_arrow_batch(struct tw_cells *cells, size_t n_cells, int64_t n, struct ArrowArray *out)
{
    struct buffers *buffers = tw_new0(struct buffers, 1);

    *out = (struct ArrowArray) {
        .length = n,
        .n_buffers = 1, /* validity of a struct; NULL: no null rows */
        .buffers = buffers->shown,
        .n_children = (int64_t)n_cells,
        .children = tw_new(struct ArrowArray *, n_cells),
        .release = release,
        .private_data = buffers,
    };
    for (size_t i = 0; i < n_cells; i++)
        out->children[i] = column(&cells[i]);
}
