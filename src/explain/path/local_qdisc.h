/* SPDX-License-Identifier: MIT */
/*
 * A queue in the sender's own host: `tc` shapes what it sends (tbf, htb, netem), or its device is
 * slow. A capture on that host sees segments as they leave the queue (dev_queue_xmit_nit(),
 * net/core/dev.c), so RTTs do not include it. TSval does: it was written before.
 */
#ifndef TW_EXPLAIN_PATH_LOCAL_QDISC_H
#define TW_EXPLAIN_PATH_LOCAL_QDISC_H

#include "explain/sender/sender_timeline.h"

/* Do this side's segments usually wait there? Then its clock can be read. */
bool tw_local_qdisc_shows(struct tw_sender_timeline *sends, const struct tw_log *log,
                          const struct tw_prescan *prescan, struct tw_scratch *scratch);

/* Lower bound of the time that a send spent in the qdisc; 0: unknown. */
tcpwhy_ns tw_local_qdisc_ns(const struct tw_sender_timeline *sends, const struct tw_send *send);

/* The median of that. */
tcpwhy_ns tw_local_qdisc_median_ns(const struct tw_sender_timeline *sends,
                                   struct tw_scratch *scratch);

#endif
