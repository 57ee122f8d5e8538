/* SPDX-License-Identifier: MIT */
/* Selection of a rank without sorting, for medians of every connection. */
#ifndef TW_BASE_SELECT_H
#define TW_BASE_SELECT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tcpwhy/types.h>

/*
 * The element of rank < n in sorted order. Afterwards it is at index rank, with no larger ones
 * before and no smaller ones after it. Linear, at worst as slow as sorting.
 */
tcpwhy_ns tw_select_ns(tcpwhy_ns *values, size_t n, size_t rank);

/* After so many rounds the rest is sorted. */
tcpwhy_ns tw_select_ns_within(tcpwhy_ns *values, size_t n, size_t rank, int rounds);

/* Non-negative doubles compare like their bit patterns. */
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
