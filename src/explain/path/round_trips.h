/* SPDX-License-Identifier: MIT */
/*
 * A direction cut into round trips, with all that is found in them.
 */
#ifndef TW_EXPLAIN_PATH_ROUND_TRIPS_H
#define TW_EXPLAIN_PATH_ROUND_TRIPS_H

#include "explain/model/rounds.h"

/* Not for a side whose messages have one segment each: then there are none. */
void tw_rounds_build(const struct tw_sender_timeline *sends, const struct tw_vantage *vantage,
                     struct tw_scratch *scratch, struct tw_rounds *out);

#endif
