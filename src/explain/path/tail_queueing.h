/* SPDX-License-Identifier: MIT */
/*
 * A message stays in transit after its last segment left while it queues: its receiver cannot
 * answer yet and is not waited for until then.
 */
#ifndef TW_EXPLAIN_PATH_TAIL_QUEUEING_H
#define TW_EXPLAIN_PATH_TAIL_QUEUEING_H

#include "explain/explanation.h"
#include "explain/model/rounds.h"

struct tw_tail_queueing {
    uint32_t newest;   /* the receiver's last record that shows the end was missing */
    bool uneven;       /* it came in leaps, as through no bottleneck */
    tcpwhy_ns rest_ns; /* time for the rest at the rate of the message */
};

/* The time from a message's last segment until the receiver had all of it, from its last ACK before
 * another record and the rate of the earlier part; 0: no longer than the minimum delay. *hole: the
 * last data had been overtaken or lost; until it arrived. */
tcpwhy_ns tw_tail_queueing_lacked_ns(const struct tw_log *log, const struct tw_vantage *vantage,
                                     uint32_t last, uint32_t before, bool *hole);

/* For the message that ends with a record of a round, by the ACKs before another record. @return
 * false if no queue shows; out is unchanged then. */
bool tw_tail_queueing_watch(const struct tw_log *log, const struct tw_vantage *vantage,
                            const struct tw_round *round, uint32_t last, uint32_t before,
                            struct tw_tail_queueing *out);

#endif
