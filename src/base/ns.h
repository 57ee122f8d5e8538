/* SPDX-License-Identifier: MIT */
/* Sums of times over many connections, saturating: forged timestamps must not overflow them. */
#ifndef TW_BASE_NS_H
#define TW_BASE_NS_H

#include <tcpwhy/types.h>

/* 73 years; several of them can be added. */
#define TW_NS_MOST (INT64_MAX / 4)

/* a + b, saturated at TW_NS_MOST; both in [0, TW_NS_MOST]. */
static inline tcpwhy_ns tw_ns_add(tcpwhy_ns a, tcpwhy_ns b)
{
    return a < TW_NS_MOST - b ? a + b : TW_NS_MOST;
}

/* A computed time, saturated at TW_NS_MOST. */
static inline tcpwhy_ns tw_ns_from(double ns)
{
    return ns < (double)TW_NS_MOST ? (tcpwhy_ns)ns : TW_NS_MOST;
}

#endif
