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

#endif
