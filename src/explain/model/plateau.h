/* SPDX-License-Identifier: MIT */
/*
 * Flights that stay the same over round trips, and flights that climb by a segment or two.
 */
#ifndef TW_EXPLAIN_MODEL_PLATEAU_H
#define TW_EXPLAIN_MODEL_PLATEAU_H

#include "explain/model/rounds_parts.h"

/* Find runs of equal flights, and runs that climb in small steps. */
void tw_plateau_find(const struct tw_rounds_view *view);

/* Among those runs, away from the sender, what a program may have written; after all else is
 * found. */
void tw_plateau_find_app_writes(const struct tw_rounds_view *view);

#endif
