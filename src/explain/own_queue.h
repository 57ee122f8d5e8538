/* SPDX-License-Identifier: MIT */
/*
 * A queue in the sender's own host: `tc` shapes what it sends (tbf, htb, netem), or its device is
 * slow. A capture on that host sees segments when they leave the queue (dev_queue_xmit_nit(),
 * net/core/dev.c), so that no round trip holds it. Timestamps do: they were written before.
 */
#ifndef TW_EXPLAIN_OWN_QUEUE_H
#define TW_EXPLAIN_OWN_QUEUE_H

#include "explain/sends.h"

/* Does what these sends' side sends wait there as a rule? Then its clock can be read. */
bool tw_own_queue_shows(struct tw_sends *sends, const struct tw_log *log,
                        const struct tw_survey *survey, struct tw_scratch *scratch);

/* How long a send did, at least; 0: nothing tells. */
tcpwhy_ns tw_own_queue_ns(const struct tw_sends *sends, const struct tw_send *send);

/* How long the median one did. */
tcpwhy_ns tw_own_queue_median_ns(const struct tw_sends *sends, struct tw_scratch *scratch);

#endif
