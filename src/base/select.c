/* SPDX-License-Identifier: MIT */
#include "base/select.h"

#include <stdlib.h>

/* Insertion sort is faster up to this size. */
#define FEW 16

/* Sampling rate for the pivot, with bounds on the sample size. */
#define SAMPLED    16
#define SAMPLE_MIN 3
#define SAMPLE_MAX 50

/* After so many rounds without progress the input is adversarial: sort the rest. */
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

/*
 * A pivot from an evenly spread sample: the element of the rank, shifted towards the median by the
 * expected sampling error, so that the rank usually falls into the smaller part.
 */
static tcpwhy_ns choose_pivot(const tcpwhy_ns *v, size_t n, size_t rank)
{
    tcpwhy_ns sample[SAMPLE_MAX];
    size_t size = n / SAMPLED, step, place, chance;

    size = size < SAMPLE_MIN ? SAMPLE_MIN : size > SAMPLE_MAX ? SAMPLE_MAX : size;
    step = n / size;
    for (size_t i = 0; i < size; i++)
        sample[i] = v[i * step + step / 2];
    sort_few(sample, size);
    place = rank / step;
    chance = size / 10;
    if (rank < n / 2)
        place += chance;
    else
        place -= place < chance ? place : chance;
    return sample[place < size ? place : size - 1];
}

/* Partition: values below the limit first, branch-free as the comparisons are unpredictable.
 * @return their number. */
static size_t move_smaller(tcpwhy_ns *v, size_t n, tcpwhy_ns limit)
{
    tcpwhy_ns *behind = v; /* end of the smaller values */

    for (tcpwhy_ns *at = v, *end = v + n; at < end; at++) {
        tcpwhy_ns x = *at;

        *at = *behind;
        *behind = x;
        behind = x < limit ? behind + 1 : behind;
    }
    return (size_t)(behind - v);
}

/* Move the value, which is at or after that place, to it. */
static void bring_to(tcpwhy_ns *v, size_t place, tcpwhy_ns value)
{
    size_t i = place;

    while (v[i] != value)
        i++;
    v[i] = v[place];
    v[place] = value;
}

tcpwhy_ns tw_select_ns_within(tcpwhy_ns *v, size_t n, size_t rank, int rounds)
{
    size_t from = 0, to = n; /* the rank is in [from, to) */

    for (int round = 0; to - from > FEW; round++) {
        tcpwhy_ns pivot = choose_pivot(v + from, to - from, rank - from);
        size_t split = from + move_smaller(v + from, to - from, pivot);

        if (round == rounds) {
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
            /* No value is smaller than the pivot: remove those equal to it. */
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

tcpwhy_ns tw_select_ns(tcpwhy_ns *v, size_t n, size_t rank)
{
    return tw_select_ns_within(v, n, rank, MAX_ROUNDS);
}
