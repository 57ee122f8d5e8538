/* SPDX-License-Identifier: MIT */
/*
 * Incidents: waits of open connections, reported before these end. A connection is explained again
 * when a wait has ended and its log has grown by a share, so that all explanations of it together
 * cost a few times what the last one does. Connections whose logs have not grown so much, and quiet
 * ones, queue for what a small part of the time can explain.
 */
#ifndef TW_ENGINE_INCIDENTS_H
#define TW_ENGINE_INCIDENTS_H

#include "engine/life.h"
#include "engine/worker_pool.h"

struct tw_lifetimes;

/* Frees the queue. */
void tw_incidents_clear(struct tw_lifetimes *lifetimes);

/* The connection leaves the queue: it was explained, or it ends. */
void tw_incidents_leave(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* Call after each frame of a connection was logged. @return false if the callback asked to stop. */
bool tw_incidents_see(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* The log ends: report the incidents that were not reported yet. @return likewise. */
bool tw_incidents_end(struct tw_lifetimes *lifetimes, struct tw_life *life);

#endif
