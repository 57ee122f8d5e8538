/* SPDX-License-Identifier: MIT */
/*
 * The fate of single segments, as retransmissions and ACKs show it.
 */
#ifndef TW_FAILURES_FATES_H
#define TW_FAILURES_FATES_H

#include "failures/cut.h"

enum tw_fate {
    TW_FATE_UNKNOWN, /* neither repeated nor acknowledged in the capture */
    TW_FATE_TAKEN,   /* acknowledged before any repeat */
    TW_FATE_LOST,    /* repeated before it was acknowledged */
};

enum tw_fate tw_fate_of(const struct tw_cut *cut, uint32_t record);

/* Time in which something of that side was sent in vain and not yet repaired. */
tcpwhy_ns tw_fate_repairs_ns(const struct tw_cut *cut, enum tcpwhy_side side);

#endif
