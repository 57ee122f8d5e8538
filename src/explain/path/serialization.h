/* SPDX-License-Identifier: MIT */
/*
 * A slow link takes longer for a large segment than for the SYNs that gave the minimum RTT: 500
 * bytes take 16 ms at 256 kbit/s. Pure ACKs of a host's kernel show the difference.
 */
#ifndef TW_EXPLAIN_PATH_SERIALIZATION_H
#define TW_EXPLAIN_PATH_SERIALIZATION_H

#include "explain/model/gap.h"

/* Excess over the minimum RTT for a segment of this size to a side; 0: unknown. */
tcpwhy_ns tw_serialization_ns(struct tw_context *context, enum tcpwhy_side to, uint32_t bytes);

/* The same for a segment from a side: the burst shows the serialization time of its first segment,
 * too. */
tcpwhy_ns tw_serialization_from_ns(struct tw_context *context, enum tcpwhy_side from,
                                   uint32_t bytes);

#endif
