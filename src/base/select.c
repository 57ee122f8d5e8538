/* SPDX-License-Identifier: MIT */
#include "base/select.h"

#include <stdlib.h>

/* Up to here sorting by insertion is faster. */
#define FEW 16

/* Halvings that leave this part undone were made to fail: then all is sorted. */
#define MAX_ROUNDS 40

static int by_value(const void *a, const void *b)
{
    tcpwhy_ns x = *(const tcpwhy_ns *)a, y = *(const tcpwhy_ns *)b;

    return (x > y) - (x < y);
}

static void sort_few(tcpwhy_ns *v, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        tcpwhy_ns x = v[i];
        size_t k = i;

        for (; k > 0 && v[k - 1] > x; k--)
            v[k] = v[k - 1];
        v[k] = x;
    }
}

static tcpwhy_ns middle_of(tcpwhy_ns a, tcpwhy_ns b, tcpwhy_ns c)
{
    tcpwhy_ns low = a < b ? a : b, high = a < b ? b : a;

    return c < low ? low : c > high ? high : c;
}

/* Put the values below the limit first. @return how many there are. Without a branch that depends
 * on them: half of its guesses would be wrong. */
static size_t move_smaller(tcpwhy_ns *v, size_t n, tcpwhy_ns limit)
{
    size_t smaller = 0;

    for (size_t i = 0; i < n; i++) {
        tcpwhy_ns x = v[i];

        v[i] = v[smaller];
        v[smaller] = x;
        smaller += x < limit;
    }
    return smaller;
}

/* The value, which is there or behind, comes to stand at that place. */
static void bring_to(tcpwhy_ns *v, size_t place, tcpwhy_ns value)
{
    size_t i = place;

    while (v[i] != value)
        i++;
    v[i] = v[place];
    v[place] = value;
}

tcpwhy_ns tw_select_ns(tcpwhy_ns *v, size_t n, size_t rank)
{
    size_t from = 0, to = n; /* the rank lies in [from, to) */

    for (int round = 0; to - from > FEW; round++) {
        tcpwhy_ns pivot = middle_of(v[from], v[from + (to - from) / 2], v[to - 1]);
        size_t split = from + move_smaller(v + from, to - from, pivot);

        if (round == MAX_ROUNDS) {
            qsort(v + from, to - from, sizeof *v, by_value);
            return v[rank];
        }
        if (rank < split) {
            to = split;
        } else if (rank == split) {
            bring_to(v, split, pivot);
            return pivot;
        } else if (split > from) {
            from = split;
        } else {
            /* None is smaller than the pivot: those that are as small leave. */
            if (pivot == INT64_MAX)
                return pivot;
            from += move_smaller(v + from, to - from, pivot + 1);
            if (rank < from)
                return pivot;
        }
    }
    sort_few(v + from, to - from);
    return v[rank];
}
