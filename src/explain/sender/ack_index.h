/* SPDX-License-Identifier: MIT */
/*
 * Which record acknowledged an offset first after another record? A repeat may wait for its ACK to
 * the end of the log, so the answer is looked up, not searched for.
 */
#ifndef TW_EXPLAIN_SENDER_ACK_INDEX_H
#define TW_EXPLAIN_SENDER_ACK_INDEX_H

#include "base/scratch.h"
#include "log/log.h"

struct tw_ack_index {
    int64_t *highest; /* a tree of maxima: node i has 2i and 2i+1 below it, 1 is the root */
    uint32_t leaves;  /* a power of two; each of some records, from index leaves on */
    enum tcpwhy_side from;
};

/* Index the ACKs of one side. */
void tw_ack_index_build(const struct tw_log *log, enum tcpwhy_side from, struct tw_scratch *scratch,
                        struct tw_ack_index *out);

/* The first record from that one on which acknowledges end; the log's length when there is none. */
uint32_t tw_ack_index_find(const struct tw_ack_index *index, const struct tw_log *log,
                           uint32_t record, int64_t end);

/* The same without an index, as most ACKs are near: the log's length, too, when it is not. */
uint32_t tw_ack_find_near(const struct tw_log *log, enum tcpwhy_side from, uint32_t record,
                          int64_t end);

#endif
