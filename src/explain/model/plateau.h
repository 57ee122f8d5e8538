/* SPDX-License-Identifier: MIT */
/*
 * Flights that stay the same over round trips, and flights that climb by a segment or two.
 */
#ifndef TW_EXPLAIN_MODEL_PLATEAU_H
#define TW_EXPLAIN_MODEL_PLATEAU_H

#include "explain/model/rounds_parts.h"

/* Runs of the same flight, and runs that climb by small steps. */
void tw_plateau_find(const struct tw_rounds_view *view);

/* Of those runs, where the sender is not here, what a program may have written: when all else is
 * found. */
void tw_plateau_find_app_writes(const struct tw_rounds_view *view);

#endif
