/* SPDX-License-Identifier: MIT */
/*
 * Incidents: waits of open connections, told while they go on. A connection is explained anew after
 * a wait ended, but not before its log has grown by a share: all of it together costs no more than
 * a few explanations of its end.
 */
#ifndef TW_ENGINE_INCIDENTS_H
#define TW_ENGINE_INCIDENTS_H

#include "engine/life.h"
#include "engine/worker_pool.h"

struct tw_lifetimes;

/* After a frame was logged. @return false if the callback asked to stop. */
bool tw_incidents_see(struct tw_lifetimes *lifetimes, struct tw_life *life);

/* The log ends: tell what is left of it. @return likewise. */
bool tw_incidents_end(struct tw_lifetimes *lifetimes, struct tw_life *life);

#endif
