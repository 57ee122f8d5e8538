/* SPDX-License-Identifier: MIT */
/*
 * A direction divided into round trips, with all that is found in them.
 */
#ifndef TW_EXPLAIN_PATH_ROUND_TRIPS_H
#define TW_EXPLAIN_PATH_ROUND_TRIPS_H

#include "explain/model/rounds.h"

/* A side whose messages have one segment each has no rounds. */
void tw_rounds_build(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                     struct tw_scratch *scratch, struct tw_rounds *out);

#endif
