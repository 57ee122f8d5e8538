/* SPDX-License-Identifier: MIT */
/*
 * A connection whose packets were captured at two points of their way: the captures of both ends
 * merged to one file, or both sides of a router. Of each packet there are two records, and one that
 * was lost in between has only that of its sender's point. What one point alone saw is a capture as
 * any other.
 */
#ifndef TW_LOG_CAPTURE_POINTS_H
#define TW_LOG_CAPTURE_POINTS_H

#include "log/log.h"

/*
 * Leave of a log and its connection what was seen at one of two points: at that nearer to the side
 * which sent more. The log tells how many records went (struct tw_log). @return false: it was
 * captured at one point, and nothing was done.
 */
bool tw_capture_points_settle(struct tw_connection *connection, struct tw_log *log);

/* Might there be two? A look that costs nothing. */
static inline bool tw_capture_points_suspected(const struct tw_connection *c,
                                               const struct tw_log *log)
{
    const struct tw_side *a = &c->side[0], *b = &c->side[1];

    return a->frames > 0 && b->frames > 0 &&
           (a->retransmissions + a->copies + b->retransmissions + b->copies) * 8 >= log->n;
}

#endif
