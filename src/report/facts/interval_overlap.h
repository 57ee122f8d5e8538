/* SPDX-License-Identifier: MIT */
/*
 * The number of intervals of a set that overlap a given one.
 */
#ifndef TW_REPORT_FACTS_INTERVAL_OVERLAP_H
#define TW_REPORT_FACTS_INTERVAL_OVERLAP_H

#include <glib.h>

#include <tcpwhy/types.h>

#include "base/array.h"

struct tw_interval_overlap {
    tw_array *from, *to; /* tcpwhy_ns, each sorted by itself; NULL while there is none */
};

void tw_interval_overlap_add(struct tw_interval_overlap *overlap, tcpwhy_ns from_ns,
                             tcpwhy_ns to_ns);
/* Needed once between the last add and the first count. */
void tw_interval_overlap_sort(struct tw_interval_overlap *overlap);
guint tw_interval_overlap_count(const struct tw_interval_overlap *overlap, tcpwhy_ns from_ns,
                                tcpwhy_ns to_ns);
void tw_interval_overlap_clear(struct tw_interval_overlap *overlap);

#endif
