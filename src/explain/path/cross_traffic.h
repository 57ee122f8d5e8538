/* SPDX-License-Identifier: MIT */
/*
 * A request may queue behind its host's other connections: their ACKs show how long that data is in
 * transit (track/host_tx_delay.h).
 */
#ifndef TW_EXPLAIN_PATH_CROSS_TRAFFIC_H
#define TW_EXPLAIN_PATH_CROSS_TRAFFIC_H

#include "explain/model/gap.h"

/* Excess delay of the host's data at either end of a gap for the other side; 0: unknown. */
tcpwhy_ns tw_cross_traffic_delay_ns(const struct tw_gap *gap, enum tcpwhy_side host);

/* Fill in the excess delay of what was sent to the awaited side, for a gap that is described and
 * not within a message. */
void tw_cross_traffic_apply(const struct tw_context *context, struct tw_gap *gap);

/* The same, at most, of a turn whose answer does not acknowledge all that was sent with the
 * request: that should have arrived a round trip after it was sent, and what is before it came no
 * sooner. */
void tw_cross_traffic_apply_pipelined(struct tw_gap *gap);

#endif
