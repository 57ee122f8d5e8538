/* SPDX-License-Identifier: MIT */
/*
 * The evidence in the log about one side's retransmissions: when they were acknowledged, whether
 * the receiver had reported a loss or reports a duplicate, and what routers reported.
 */
#ifndef TW_EXPLAIN_LOSS_RETRANSMIT_EVIDENCE_H
#define TW_EXPLAIN_LOSS_RETRANSMIT_EVIDENCE_H

#include "base/scratch.h"
#include "explain/sender/ack_index.h"
#include "explain/loss/dsack.h"

struct tw_retransmit_evidence {
    const struct tw_log *log;
    enum tcpwhy_side sender;
    bool wordless; /* no SACK was agreed on, as far as is seen, hence no DSACK */
    struct tw_scratch *scratch;
    tcpwhy_ns *too_big; /* when routers reported that a segment was too big */
    uint32_t n_too_big, too_big_capacity;
    struct tw_ack_index acks; /* of the receiver's ACKs; built on first use */
    struct tw_dsack copies;   /* likewise */
    uint32_t looked,
        last_told; /* newest record before looked in which the receiver reported a loss */
};

/* The arguments must outlive the evidence. */
void tw_retransmit_evidence_begin(struct tw_retransmit_evidence *evidence, const struct tw_log *log,
                                  enum tcpwhy_side sender, struct tw_scratch *scratch);

/* The receiver's first frame after the record that acknowledges end; or the log's last. */
uint32_t tw_retransmit_evidence_ack(struct tw_retransmit_evidence *evidence, uint32_t record,
                                    int64_t end, bool *never);

/* Did the receiver report a loss between two records? The second must not decrease from call to
 * call. */
bool tw_retransmit_evidence_of_loss(struct tw_retransmit_evidence *evidence, uint32_t from,
                                    uint32_t to);

/* Does the receiver report that it had a retransmission's bytes already (RFC 2883, RFC 3708)? */
enum tw_dsack_reported tw_retransmit_evidence_of_duplicate(struct tw_retransmit_evidence *evidence,
                                                           const struct tw_sender_timeline *sends,
                                                           uint32_t repeat);

/* Path MTU discovery (RFC 1191): a router reported "too big" between two records, and smaller
 * segments follow. */
bool tw_retransmit_evidence_too_big(const struct tw_retransmit_evidence *evidence, uint32_t from,
                                    uint32_t to);

#endif
