/* SPDX-License-Identifier: MIT */
/*
 * Matches bytes that were retransmitted with those that the receiver reported as duplicates (DSACK,
 * RFC 2883): the report may come long after their ACK, with others in between. A receiver without
 * DSACK sends an ACK with nothing new (RFC 9293, 3.10.7.4), which counts only if it has sent all
 * others: data that arrives while an ACK is delayed shares that ACK.
 */
#ifndef TW_EXPLAIN_LOSS_DSACK_H
#define TW_EXPLAIN_LOSS_DSACK_H

#include "explain/sender/sender_timeline.h"

struct tw_dsack_range {
    int64_t from, to; /* the bytes */
    uint32_t record;  /* that carries or reports them */
    bool plain;       /* reported without DSACK */
};

struct tw_dsack {
    struct tw_dsack_range *sent, *reported; /* by their first byte */
    uint32_t n_sent, n_reported;
    bool known;
};

/* Index one side's retransmissions. */
void tw_dsack_build(const struct tw_log *log, const struct tw_sender_timeline *sends,
                    struct tw_scratch *scratch, struct tw_dsack *out);

enum tw_dsack_reported {
    TW_DSACK_LACK, /* one was the first to arrive */
    TW_DSACK_MAY,  /* perhaps one was; without DSACK one fewer is reported than came */
    TW_DSACK_ALL,  /* none was */
};

/* Were the copies of a retransmission's bytes, from this one on, reported? */
enum tw_dsack_reported tw_dsack_reported(const struct tw_dsack *copies,
                                         const struct tw_record *repeat, uint32_t record);

#endif
