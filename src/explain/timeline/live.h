/* SPDX-License-Identifier: MIT */
/*
 * A program that sends by a clock: its pieces begin at equal intervals, whatever ACKs come. A rate
 * limit does so with blocks of one size, for a transfer that somebody may wait for. Where sizes
 * differ, the clock belongs to what is sent (a film, measurements), and nobody waits.
 */
#ifndef TW_EXPLAIN_TIMELINE_LIVE_H
#define TW_EXPLAIN_TIMELINE_LIVE_H

#include "explain/model/context.h"

enum tw_live {
    TW_LIVE_UNASKED,
    TW_LIVE_NO,
    TW_LIVE_BLOCKS, /* by a clock, in blocks of one size */
    TW_LIVE_PIECES, /* by a clock, in pieces that differ */
};

/* The side's sends must be heard. */
enum tw_live tw_live_find(const struct tw_context *context, enum tcpwhy_side side);

#endif
