/* SPDX-License-Identifier: MIT */
/*
 * Does the path carry nearly all that it can around a send? A window over the sends of one side,
 * which slides along with those that are asked for.
 */
#ifndef TW_EXPLAIN_BUSY_H
#define TW_EXPLAIN_BUSY_H

#include "explain/rounds.h"

/* Begins as zeros. */
struct tw_busy {
    uint32_t from, to; /* sends in the window */
    int64_t bytes;     /* of them */
};

/* Is it around a send, which is never before the one that was asked for last? The side must be
 * heard. */
bool tw_busy_at(struct tw_busy *busy, const struct tw_sends *sends, const struct tw_rounds *rounds,
                const struct tw_vantage *vantage, uint32_t index);

#endif
