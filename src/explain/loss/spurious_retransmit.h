/* SPDX-License-Identifier: MIT */
/*
 * Whether a retransmission was needed, or what it brings had arrived before it.
 */
#ifndef TW_EXPLAIN_LOSS_SPURIOUS_RETRANSMIT_H
#define TW_EXPLAIN_LOSS_SPURIOUS_RETRANSMIT_H

#include "explain/loss/retransmit_evidence.h"
#include "explain/sender/sender_timeline.h"

enum tw_retransmit_need {
    TW_RETRANSMIT_NEED_LOST,  /* nothing says that it was not */
    TW_RETRANSMIT_NEED_MAY,   /* it may have arrived */
    TW_RETRANSMIT_NEED_NONE,  /* it had arrived */
    TW_RETRANSMIT_NEED_STALL, /* likewise, but the sender heard nothing until its timer had fired
                      again, or of the timer's repeat when it should have */
};

/* Of the send with this index, a repeat whose bytes were seen before, a timer's or not, and which
 * the record ack is the first to acknowledge. */
enum tw_retransmit_need tw_retransmit_need_of(const struct tw_sender_timeline *sends,
                                              const struct tw_vantage *vantage,
                                              struct tw_retransmit_evidence *evidence,
                                              uint32_t send, bool by_timer, uint32_t ack);

/*
 * May the receiver have held back the ACK of what is repeated here, until the copy came? That is of
 * less than two full segments, for less than half a second (RFC 9293, 3.8.6.3): longer than Linux's
 * timer waits for it, and many a small system does so. The record ack is the first to acknowledge
 * it.
 */
bool tw_repeat_may_meet_held_ack(const struct tw_sender_timeline *sends, uint32_t send,
                                 uint32_t ack);

/* Of a repeat that was not needed, when the timer fired: away from the sender the ACKs may have
 * been lost behind us. Where it goes on as soon as this one's ACK may have come, it did not hear
 * them. */
bool tw_repeat_ends_outage(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                           uint32_t send);

#endif
