/* SPDX-License-Identifier: MIT */
/*
 * The replay of a series' sender, event by event: what curves of its state are drawn from.
 */
#ifndef TW_REPORT_SERIES_SERIES_REPLAY_H
#define TW_REPORT_SERIES_SERIES_REPLAY_H

#include "explain/model/replay.h"
#include "report/series/series_kind.h"

/* Calls visit with the sender's state after each event of the connection. */
void tw_series_replay(const struct tw_series_scene *scene,
                      void (*visit)(void *user, const struct tw_replay_state *state), void *user);

/* A point where a level changes; TW_UNBOUNDED: it is not known, and has none. */
void tw_series_level(struct tw_curve *curve, const struct tw_replay_state *state, int64_t level);

#endif
