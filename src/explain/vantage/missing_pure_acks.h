/* SPDX-License-Identifier: MIT */
/*
 * Captures that a filter let only data into ("the length of the payload is not 0", as many a recipe
 * for HTTP has it): no ACK that a kernel sends by itself is there, so that nothing is known of what
 * waited for one.
 */
#ifndef TW_EXPLAIN_VANTAGE_MISSING_PURE_ACKS_H
#define TW_EXPLAIN_VANTAGE_MISSING_PURE_ACKS_H

#include "log/log.h"

enum tw_pure_acks {
    TW_ACKS_THERE,
    TW_ACKS_ABSENT,  /* there is none: perhaps none was needed */
    TW_ACKS_LACKING, /* there must have been some */
};

/* ACKs without data. In a usual log one of the first records shows that they are there. */
enum tw_pure_acks tw_look_for_pure_acks(const struct tw_log *log);

#endif
