/* SPDX-License-Identifier: MIT */
/*
 * What ended a wait for somebody who is not here may have stood in a queue, of other connections
 * too: its sender's clock (RFC 7323) tells when it left.
 */
#ifndef TW_EXPLAIN_LATE_H
#define TW_EXPLAIN_LATE_H

#include "explain/wait.h"

/* How much longer than the shortest way a segment was under way. */
struct tw_late {
    tcpwhy_ns sure_ns; /* surely so long */
    tcpwhy_ns most_ns; /* perhaps; the clocks show no more */
};

/* Of what ends a wait for its sender. Nothing is late where the sender is here, or tells no clock
 * that keeps time. */
struct tw_late tw_late_find(struct tw_scene *scene, const struct tw_wait *wait);

#endif
