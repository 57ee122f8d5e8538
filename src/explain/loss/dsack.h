/* SPDX-License-Identifier: MIT */
/*
 * Which bytes were sent again, and which a receiver said to have got twice (DSACK, RFC 2883). Both
 * are found by the bytes: the word may come long after the ACK of them, and others in between.
 * A receiver that has no such word sends an ACK that tells nothing new (RFC 9293, 3.10.7.4), but
 * only where it has sent all the others: what comes while an ACK is held back takes that along.
 */
#ifndef TW_EXPLAIN_LOSS_DSACK_H
#define TW_EXPLAIN_LOSS_DSACK_H

#include "explain/sender/sender_timeline.h"

struct tw_dsack_range {
    int64_t from, to; /* the bytes */
    uint32_t record;  /* that brings or reports them */
    bool plain;       /* reported without a word */
};

struct tw_dsack {
    struct tw_dsack_range *sent, *reported; /* by their first byte */
    uint32_t n_sent, n_reported;
    bool known;
};

/* Of one side's retransmissions. */
void tw_dsack_build(const struct tw_log *log, const struct tw_sender_timeline *sends,
                    struct tw_scratch *scratch, struct tw_dsack *out);

enum tw_dsack_reported {
    TW_DSACK_LACK, /* one was the first to arrive */
    TW_DSACK_MAY,  /* perhaps one was; without words the receiver reports one less than came */
    TW_DSACK_ALL,  /* none was */
};

/* Which copies of a retransmission's bytes from that on were reported? */
enum tw_dsack_reported tw_dsack_reported(const struct tw_dsack *copies,
                                         const struct tw_record *repeat, uint32_t record);

#endif
