/* SPDX-License-Identifier: MIT */
/* The value of a rank, without sorting all: medians are asked for at every connection. */
#ifndef TW_BASE_SELECT_H
#define TW_BASE_SELECT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tcpwhy/types.h>

/*
 * The value that would stand at index rank if the n values were sorted; rank < n. Afterwards it
 * stands there, what is before it is not larger, and what is behind it not smaller. Linear in n; at
 * worst, on values that were chosen for it, as slow as sorting.
 */
tcpwhy_ns tw_select_ns(tcpwhy_ns *values, size_t n, size_t rank);

/* What is left after so many rounds is sorted. */
tcpwhy_ns tw_select_ns_within(tcpwhy_ns *values, size_t n, size_t rank, int rounds);

/* Rates are selected by their bits: those of doubles that are not negative stand in their order. */
static inline int64_t tw_rate_bits(double rate)
{
    int64_t bits;

    memcpy(&bits, &rate, sizeof bits);
    return bits;
}

static inline double tw_select_rate(int64_t *bits, size_t n, size_t rank)
{
    int64_t selected = tw_select_ns(bits, n, rank);
    double rate;

    memcpy(&rate, &selected, sizeof rate);
    return rate;
}

#endif
