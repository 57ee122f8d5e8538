/* SPDX-License-Identifier: MIT */
/*
 * How many of many stretches of time overlap a given one.
 */
#ifndef TW_REPORT_TOGETHER_H
#define TW_REPORT_TOGETHER_H

#include <glib.h>

#include <tcpwhy/types.h>

struct tw_together {
    GArray *from, *to; /* tcpwhy_ns, each sorted by itself; NULL while there is none */
};

void tw_together_add(struct tw_together *together, tcpwhy_ns from_ns, tcpwhy_ns to_ns);
/* Needed once between the last add and the first count. */
void tw_together_sort(struct tw_together *together);
guint tw_together_count(const struct tw_together *together, tcpwhy_ns from_ns, tcpwhy_ns to_ns);
void tw_together_clear(struct tw_together *together);

#endif
