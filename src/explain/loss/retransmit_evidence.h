/* SPDX-License-Identifier: MIT */
/*
 * What the log says of one side's repairs: when the receiver acknowledged them, whether it had told
 * of a loss or tells of a duplicate, and what routers said.
 */
#ifndef TW_EXPLAIN_LOSS_RETRANSMIT_EVIDENCE_H
#define TW_EXPLAIN_LOSS_RETRANSMIT_EVIDENCE_H

#include "base/scratch.h"
#include "explain/sender/ack_index.h"
#include "explain/loss/dsack.h"

struct tw_retransmit_evidence {
    const struct tw_log *log;
    enum tcpwhy_side sender;
    bool wordless; /* nothing shows that the sides agreed on SACK, and so on a word of duplicates */
    struct tw_scratch *scratch;
    tcpwhy_ns *too_big; /* when routers said that a segment was too big */
    uint32_t n_too_big, too_big_capacity;
    struct tw_ack_index acks;   /* of the receiver; built for the first question that needs it */
    struct tw_dsack copies;     /* likewise */
    uint32_t looked, last_told; /* newest record before looked in which the receiver told of loss */
};

/* All are kept as long as the evidence. */
void tw_retransmit_evidence_begin(struct tw_retransmit_evidence *evidence, const struct tw_log *log,
                                  enum tcpwhy_side sender, struct tw_scratch *scratch);

/* The first frame of the receiver after the record that acknowledges end; or the log's last. */
uint32_t tw_retransmit_evidence_ack(struct tw_retransmit_evidence *evidence, uint32_t record,
                                    int64_t end, bool *never);

/* Did the receiver tell of a loss between two records? The second moves on from question to
 * question. */
bool tw_retransmit_evidence_of_loss(struct tw_retransmit_evidence *evidence, uint32_t from,
                                    uint32_t to);

/* RFC 2883, RFC 3708: does the receiver say after a repeat that it had its bytes already? */
enum tw_dsack_reported tw_retransmit_evidence_of_duplicate(struct tw_retransmit_evidence *evidence,
                                                           const struct tw_sender_timeline *sends,
                                                           uint32_t repeat);

/* Path MTU discovery at work (RFC 1191): a router said so between two records, and smaller segments
 * follow. */
bool tw_retransmit_evidence_too_big(const struct tw_retransmit_evidence *evidence, uint32_t from,
                                    uint32_t to);

#endif
