/* SPDX-License-Identifier: MIT */
/*
 * A queue in the sender's own host: `tc` shapes what it sends (tbf, htb, netem), or its device is
 * slow. A capture on that host sees segments when they leave the queue (dev_queue_xmit_nit(),
 * net/core/dev.c), so that no round trip holds it. Timestamps do: they were written before.
 */
#ifndef TW_EXPLAIN_PATH_LOCAL_QDISC_H
#define TW_EXPLAIN_PATH_LOCAL_QDISC_H

#include "explain/sender/sender_timeline.h"

/* Does what these sends' side sends wait there as a rule? Then its clock can be read. */
bool tw_local_qdisc_shows(struct tw_sender_timeline *sends, const struct tw_log *log,
                          const struct tw_prescan *prescan, struct tw_scratch *scratch);

/* How long a send did, at least; 0: nothing tells. */
tcpwhy_ns tw_local_qdisc_ns(const struct tw_sender_timeline *sends, const struct tw_send *send);

/* How long the median one did. */
tcpwhy_ns tw_local_qdisc_median_ns(const struct tw_sender_timeline *sends,
                                   struct tw_scratch *scratch);

#endif
