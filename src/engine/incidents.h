/* SPDX-License-Identifier: MIT */
/*
 * Incidents: waits of open connections, told while they go on. A connection is explained anew after
 * a wait ended, once its log has grown by a share: all of it together costs no more than a few
 * explanations of its end. Before that, and when it goes quiet, it is its turn as far as a small
 * part of the time suffices.
 */
#ifndef TW_ENGINE_INCIDENTS_H
#define TW_ENGINE_INCIDENTS_H

#include "engine/life.h"
#include "engine/worker_pool.h"

struct tw_lifetimes;

/* Frees the queue. */
void tw_incidents_clear(struct tw_lifetimes *lifetimes);

/* It is told, or ends. */
void tw_incidents_leave(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* After a frame was logged. @return false if the callback asked to stop. */
bool tw_incidents_see(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* The log ends: tell what is left of it. @return likewise. */
bool tw_incidents_end(struct tw_lifetimes *lifetimes, struct tw_life *life);

#endif
