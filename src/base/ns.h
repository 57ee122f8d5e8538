/* SPDX-License-Identifier: MIT */
/* Sums of times over many connections: forged clocks must not run them over. */
#ifndef TW_BASE_NS_H
#define TW_BASE_NS_H

#include <tcpwhy/types.h>

/* 73 years. A few of them still add up. */
#define TW_NS_MOST (INT64_MAX / 4)

/* a + b, at most TW_NS_MOST; neither is negative or more than that. */
static inline tcpwhy_ns tw_ns_add(tcpwhy_ns a, tcpwhy_ns b)
{
    return a < TW_NS_MOST - b ? a + b : TW_NS_MOST;
}

/* A time that was worked out: as much of it as there can be. */
static inline tcpwhy_ns tw_ns_from(double ns)
{
    return ns < (double)TW_NS_MOST ? (tcpwhy_ns)ns : TW_NS_MOST;
}

#endif
