/* SPDX-License-Identifier: MIT */
/*
 * Whether a retransmission was needed, or what it brings had arrived before it.
 */
#ifndef TW_EXPLAIN_NEEDLESS_H
#define TW_EXPLAIN_NEEDLESS_H

#include "explain/evidence.h"
#include "explain/sends.h"

enum tw_need {
    TW_NEED_LOST,  /* nothing says that it was not */
    TW_NEED_MAY,   /* it may have arrived */
    TW_NEED_NONE,  /* it had arrived */
    TW_NEED_STALL, /* likewise, but the sender heard nothing until its timer had fired again, or
                      of the timer's repeat when it should have */
};

/* Of the send with this index, a repeat whose bytes were seen before, a timer's or not, and which
 * the record ack is the first to acknowledge. */
enum tw_need tw_need_of_repeat(const struct tw_sends *sends, const struct tw_vantage *vantage,
                               struct tw_evidence *evidence, uint32_t send, bool by_timer,
                               uint32_t ack);

/*
 * May the receiver have held back the ACK of what is repeated here, until the copy came? That is of
 * less than two full segments, for less than half a second (RFC 9293, 3.8.6.3): longer than Linux's
 * timer waits for it, and many a small system does so. The record ack is the first to acknowledge
 * it.
 */
bool tw_repeat_may_meet_held_ack(const struct tw_sends *sends, uint32_t send, uint32_t ack);

/* Of a repeat that was not needed, when the timer fired: away from the sender the ACKs may have
 * been lost behind us. Where it goes on as soon as this one's ACK may have come, it did not hear
 * them. */
bool tw_repeat_ends_outage(const struct tw_sends *sends, const struct tw_vantage *vantage,
                           uint32_t send);

#endif
