/* SPDX-License-Identifier: MIT */
#include "report/facts/interval_overlap.h"

#include "base/array.h"

void tw_interval_overlap_add(struct tw_interval_overlap *t, tcpwhy_ns from_ns, tcpwhy_ns to_ns)
{
    if (!t->from) {
        t->from = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
        t->to = tw_array_new(FALSE, FALSE, sizeof(tcpwhy_ns));
    }
    tw_array_append_val(t->from, from_ns);
    tw_array_append_val(t->to, to_ns);
}

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

void tw_interval_overlap_sort(struct tw_interval_overlap *t)
{
    if (!t->from)
        return;
    tw_array_sort(t->from, by_value);
    tw_array_sort(t->to, by_value);
}

/* The number of sorted values below a limit. */
static guint below(const tw_array *sorted, tcpwhy_ns limit)
{
    guint low = 0, high = sorted->len;

    while (low < high) {
        guint middle = low + (high - low) / 2;

        if (tw_array_index(sorted, tcpwhy_ns, middle) < limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* All intervals that begin before this one ends, less those that end before it begins. */
guint tw_interval_overlap_count(const struct tw_interval_overlap *t, tcpwhy_ns from_ns,
                                tcpwhy_ns to_ns)
{
    return t->from ? below(t->from, to_ns + 1) - below(t->to, from_ns) : 0;
}

void tw_interval_overlap_clear(struct tw_interval_overlap *t)
{
    if (!t->from)
        return;
    tw_array_free(t->from, TRUE);
    tw_array_free(t->to, TRUE);
    *t = (struct tw_interval_overlap) { 0 };
}
