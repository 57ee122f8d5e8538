/* SPDX-License-Identifier: MIT */
/*
 * How long a message is under way after its last segment left, because a queue holds it: so much
 * longer than the shortest way is its receiver not waited for, which cannot answer yet.
 */
#ifndef TW_EXPLAIN_PATH_TAIL_QUEUEING_H
#define TW_EXPLAIN_PATH_TAIL_QUEUEING_H

#include "explain/explanation.h"
#include "explain/model/rounds.h"

struct tw_tail_queueing {
    uint32_t newest;   /* the last record with which the receiver told that it lacked the end */
    bool uneven;       /* it came by leaps, as through no bottleneck */
    tcpwhy_ns rest_ns; /* what was left needed, at the rate at which the message came */
};

/* So long after its last segment the receiver of a message lacked some of it, as its last word of
 * that before another record tells, and the rate at which the rest before it came; 0: not after the
 * shortest way. *hole: what came last had been overtaken or lost; so long until it was there. */
tcpwhy_ns tw_tail_queueing_lacked_ns(const struct tw_log *log, const struct tw_vantage *vantage,
                                     uint32_t last, uint32_t before, bool *hole);

/* Of the message that ends with a record of a round, as the ACKs before another record tell.
 * @return false when no queue shows; out is left alone then. */
bool tw_tail_queueing_watch(const struct tw_log *log, const struct tw_vantage *vantage,
                            const struct tw_round *round, uint32_t last, uint32_t before,
                            struct tw_tail_queueing *out);

#endif
