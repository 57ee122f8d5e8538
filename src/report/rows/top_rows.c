/* SPDX-License-Identifier: MIT */
#include "report/rows/top_rows.h"

#include "base/array.h"

int tw_top_rows_by_loss(const struct tw_top_rows *a, const struct tw_top_rows *b)
{
    if (a->loss_ns != b->loss_ns)
        return a->loss_ns < b->loss_ns ? 1 : -1;
    return (a->stream > b->stream) - (a->stream < b->stream);
}

/* A heap whose top lost least: sift down the item at an index. */
static void sink(struct tw_top_rows *heap, guint n, guint at)
{
    struct tw_top_rows sinks = heap[at];

    for (guint below; (below = 2 * at + 1) < n; at = below) {
        if (below + 1 < n && tw_top_rows_by_loss(&heap[below], &heap[below + 1]) < 0)
            below++;
        if (tw_top_rows_by_loss(&heap[below], &sinks) <= 0)
            break;
        heap[at] = heap[below];
    }
    heap[at] = sinks;
}

/* Usually they are few of many. */
struct tw_top_rows tw_top_rows_last_of_worst(const tw_array *top, guint n)
{
    struct tw_top_rows *heap = tw_memdup2(top->data, n * sizeof *heap), last;

    for (guint i = n / 2; i-- > 0;)
        sink(heap, n, i);
    for (guint i = n; i < top->len; i++) {
        const struct tw_top_rows *next = tw_top_rows_at(top, i);

        if (tw_top_rows_by_loss(next, heap) > 0)
            continue;
        heap[0] = *next;
        sink(heap, n, 0);
    }
    last = heap[0];
    tw_free(heap);
    return last;
}

static int by_stream(const void *a, const void *b)
{
    const struct tw_top_rows *x = a, *y = b;

    return (x->stream > y->stream) - (x->stream < y->stream);
}

void tw_top_rows_sort(tw_array *top)
{
    bool sorted = true;

    for (guint i = 1; i < top->len && sorted; i++)
        sorted = tw_top_rows_at(top, i - 1)->stream < tw_top_rows_at(top, i)->stream;
    if (!sorted)
        tw_array_sort(top, by_stream);
}
