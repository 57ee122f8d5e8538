/* SPDX-License-Identifier: MIT */
/*
 * Which bytes were sent again, and which a receiver said to have got twice (DSACK, RFC 2883). Both
 * are found by the bytes: the word may come long after the ACK of them, and others in between.
 */
#ifndef TW_EXPLAIN_COPIES_H
#define TW_EXPLAIN_COPIES_H

#include "explain/sends.h"

struct tw_copy {
    int64_t from, to; /* the bytes */
    uint32_t record;  /* that brings or reports them */
};

struct tw_copies {
    struct tw_copy *sent, *reported; /* by their first byte */
    uint32_t n_sent, n_reported;
    bool known;
};

/* Of one side's retransmissions. */
void tw_copies_build(const struct tw_log *log, const struct tw_sends *sends,
                     struct tw_scratch *scratch, struct tw_copies *out);

/* Was each copy of a retransmission's bytes from that on reported, so that none of them was the
 * first to arrive? */
bool tw_copies_all_reported(const struct tw_copies *copies, const struct tw_record *repeat,
                            uint32_t record);

#endif
