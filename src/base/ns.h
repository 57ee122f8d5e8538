/* SPDX-License-Identifier: MIT */
/*
 * Sums of times over many connections, saturating: forged timestamps must not overflow them; and
 * lengths of intervals that read well.
 */
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

/* The shortest interval of 1, 2 or 5 times a power of ten of the unit that is not below least_ns.
 */
static inline tcpwhy_ns tw_ns_step(tcpwhy_ns least_ns, tcpwhy_ns unit_ns)
{
    for (; unit_ns < INT64_MAX / 100; unit_ns *= 10) {
        if (unit_ns >= least_ns)
            return unit_ns;
        if (2 * unit_ns >= least_ns)
            return 2 * unit_ns;
        if (5 * unit_ns >= least_ns)
            return 5 * unit_ns;
    }
    return least_ns;
}

#endif
