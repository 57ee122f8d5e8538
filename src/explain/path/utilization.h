/* SPDX-License-Identifier: MIT */
/*
 * Does the path carry nearly all that it can around a send? A window over the sends of one side,
 * and over what acknowledges them, which slides along with those that are asked for.
 */
#ifndef TW_EXPLAIN_PATH_UTILIZATION_H
#define TW_EXPLAIN_PATH_UTILIZATION_H

#include "explain/model/rounds.h"

/* Begins as zeros. */
struct tw_utilization {
    uint32_t from, to;                /* sends in the window */
    int64_t bytes;                    /* of them */
    uint32_t ack_from, ack_to;        /* records of the log, the peer's ACKs among them ... */
    int64_t arrived;                  /* ... by which so many bytes arrived, at least, ... */
    int64_t reached_from, reached_to; /* ... beyond those before these ends */
};

/* Is it around a send of the log's, which is never before the one that was asked for last, and
 * while that waited? The side must be heard. */
bool tw_utilization_at(struct tw_utilization *busy, const struct tw_log *log,
                       const struct tw_sender_timeline *sends, const struct tw_rounds *rounds,
                       const struct tw_vantage *vantage, uint32_t index, tcpwhy_ns waited_ns);

#endif
