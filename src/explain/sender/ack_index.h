/* SPDX-License-Identifier: MIT */
/*
 * Finds the first record after another that acknowledges an offset. The ACK of a retransmission may
 * come at the end of the log, so it is looked up, not searched for.
 */
#ifndef TW_EXPLAIN_SENDER_ACK_INDEX_H
#define TW_EXPLAIN_SENDER_ACK_INDEX_H

#include "base/scratch.h"
#include "log/log.h"

struct tw_ack_index {
    int64_t *highest; /* a tree of maxima: node i has children 2i and 2i+1; 1 is the root */
    uint32_t leaves;  /* a power of two; leaves start at index leaves */
    enum tcpwhy_side from;
};

/* Index the ACKs of one side. */
void tw_ack_index_build(const struct tw_log *log, enum tcpwhy_side from, struct tw_scratch *scratch,
                        struct tw_ack_index *out);

/* The first record, from this one on, that acknowledges end; the log's length if there is none. */
uint32_t tw_ack_index_find(const struct tw_ack_index *index, const struct tw_log *log,
                           uint32_t record, int64_t end);

/* The same without an index, for near ACKs; also the log's length if it is not near. */
uint32_t tw_ack_find_near(const struct tw_log *log, enum tcpwhy_side from, uint32_t record,
                          int64_t end);

#endif
