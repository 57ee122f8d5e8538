/* SPDX-License-Identifier: MIT */
/*
 * A question may stand behind what its host sends by other connections: their ACKs tell how long
 * that is under way (track/outflow.h).
 */
#ifndef TW_EXPLAIN_BESIDE_H
#define TW_EXPLAIN_BESIDE_H

#include "explain/wait.h"

/* How much longer than the shortest way took what was said to the awaited side, of a wait that is
 * described and not within a message: fill that in. */
void tw_beside_tell(const struct tw_scene *scene, struct tw_wait *wait);

#endif
