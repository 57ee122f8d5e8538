/* SPDX-License-Identifier: MIT */
/*
 * Captures filtered to data only ("payload length is not 0", as many HTTP recipes have it): no pure
 * ACK of a kernel is there, so nothing is known of what waited for one.
 */
#ifndef TW_EXPLAIN_VANTAGE_MISSING_PURE_ACKS_H
#define TW_EXPLAIN_VANTAGE_MISSING_PURE_ACKS_H

#include "log/log.h"

enum tw_pure_acks {
    TW_ACKS_THERE,
    TW_ACKS_ABSENT,  /* none: perhaps none was needed */
    TW_ACKS_LACKING, /* none, although there must have been some */
};

/* Are pure ACKs there? In a usual log one of the first records shows it. */
enum tw_pure_acks tw_look_for_pure_acks(const struct tw_log *log);

#endif
