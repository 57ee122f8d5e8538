/* SPDX-License-Identifier: MIT */
/*
 * Does the path carry nearly all that it can around a send? A window over one side's sends and
 * their ACKs slides along with the sends asked for.
 */
#ifndef TW_EXPLAIN_PATH_UTILIZATION_H
#define TW_EXPLAIN_PATH_UTILIZATION_H

#include "explain/model/rounds.h"

/* Begins as zeros. */
struct tw_utilization {
    uint32_t from, to;                /* sends in the window */
    int64_t bytes;                    /* in those sends */
    uint32_t ack_from, ack_to;        /* records of the log, the peer's ACKs among them ... */
    int64_t arrived;                  /* ... by which at least this many bytes arrived, ... */
    int64_t reached_from, reached_to; /* ... beyond earlier ones, at each end */
};

/* Is it around this send, and while that waited? Sends must be asked for in order, and the side
 * must be heard. */
bool tw_utilization_at(struct tw_utilization *busy, const struct tw_log *log,
                       const struct tw_sender_timeline *sends, const struct tw_rounds *rounds,
                       const struct tw_vantage *vantage, uint32_t index, tcpwhy_ns waited_ns);

#endif
