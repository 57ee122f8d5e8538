/* SPDX-License-Identifier: MIT */
/*
 * A question may stand behind what its host sends by other connections: their ACKs tell how long
 * that is under way (track/host_tx_delay.h).
 */
#ifndef TW_EXPLAIN_PATH_CROSS_TRAFFIC_H
#define TW_EXPLAIN_PATH_CROSS_TRAFFIC_H

#include "explain/model/gap.h"

/* So much longer than by the shortest way may be under way what a host says at either end of a wait
 * for the other side; 0: nothing tells of it. */
tcpwhy_ns tw_cross_traffic_delay_ns(const struct tw_gap *gap, enum tcpwhy_side host);

/* How much longer than the shortest way took what was said to the awaited side, of a wait that is
 * described and not within a message: fill that in. */
void tw_cross_traffic_apply(const struct tw_context *context, struct tw_gap *gap);

#endif
