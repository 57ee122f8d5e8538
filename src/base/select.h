/* SPDX-License-Identifier: MIT */
/* The value of a rank, without sorting all: medians are asked for at every connection. */
#ifndef TW_BASE_SELECT_H
#define TW_BASE_SELECT_H

#include <stddef.h>

#include <tcpwhy/types.h>

/*
 * The value that would stand at index rank if the n values were sorted; rank < n. Afterwards it
 * stands there, what is before it is not larger, and what is behind it not smaller. Linear in n; at
 * worst, on values that were chosen for it, as slow as sorting.
 */
tcpwhy_ns tw_select_ns(tcpwhy_ns *values, size_t n, size_t rank);

#endif
