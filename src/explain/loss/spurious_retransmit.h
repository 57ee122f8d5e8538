/* SPDX-License-Identifier: MIT */
/*
 * Was a retransmission needed, or had its data arrived before it?
 */
#ifndef TW_EXPLAIN_LOSS_SPURIOUS_RETRANSMIT_H
#define TW_EXPLAIN_LOSS_SPURIOUS_RETRANSMIT_H

#include "explain/loss/retransmit_evidence.h"
#include "explain/sender/sender_timeline.h"

enum tw_retransmit_need {
    TW_RETRANSMIT_NEED_LOST,  /* nothing shows that it was spurious */
    TW_RETRANSMIT_NEED_MAY,   /* it may have arrived */
    TW_RETRANSMIT_NEED_NONE,  /* it had arrived */
    TW_RETRANSMIT_NEED_STALL, /* likewise, but the sender heard nothing until its RTO fired again,
                                 or not of the retransmission when it should have */
};

/* For the send with this index, a retransmission whose data was seen before; by an RTO or not; ack
 * is the first record that acknowledges it. */
enum tw_retransmit_need tw_retransmit_need_of(const struct tw_sender_timeline *sends,
                                              const struct tw_vantage *vantage,
                                              struct tw_retransmit_evidence *evidence,
                                              uint32_t send, bool by_timer, uint32_t ack);

/*
 * May the receiver have delayed the ACK of the data until the copy came? Only of less than two full
 * segments, and for less than half a second (RFC 9293, 3.8.6.3): longer than Linux's RTO; many
 * small systems do so. ack is the first record that acknowledges it.
 */
bool tw_repeat_may_meet_held_ack(const struct tw_sender_timeline *sends, uint32_t send,
                                 uint32_t ack);

/* For a spurious RTO: away from the sender, the ACKs may have been lost after the vantage. If the
 * sender continues as soon as this retransmission's ACK may have come, it had not heard them; nor
 * if packets of it are missing just before. */
bool tw_repeat_ends_outage(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                           uint32_t send, unsigned lacking);

#endif
