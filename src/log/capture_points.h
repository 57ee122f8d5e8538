/* SPDX-License-Identifier: MIT */
/*
 * Connections captured at two points: captures of both ends merged into one file, or both sides of
 * a router. Each packet has two records, and one that was lost in between only that of its sender's
 * point. The view of a single point is an ordinary capture.
 */
#ifndef TW_LOG_CAPTURE_POINTS_H
#define TW_LOG_CAPTURE_POINTS_H

#include "log/log.h"

/*
 * Keep only the records of the point nearer to the side that sent more, and count the others
 * (struct tw_log). @return false: a single point, nothing was changed.
 */
bool tw_capture_points_settle(struct tw_connection *connection, struct tw_log *log);

/* Cheap pre-check for two points. */
static inline bool tw_capture_points_suspected(const struct tw_connection *c,
                                               const struct tw_log *log)
{
    const struct tw_side *a = &c->side[0], *b = &c->side[1];

    return a->frames > 0 && b->frames > 0 &&
           (a->retransmissions + a->copies + b->retransmissions + b->copies) * 8 >= log->n;
}

#endif
