/* SPDX-License-Identifier: MIT */
/*
 * A slow link takes longer for a large segment than for the SYNs that told the shortest way: 500
 * bytes take 16 ms at 256 kbit/s. What a host's kernel acknowledges alone tells by how much.
 */
#ifndef TW_EXPLAIN_PATH_SERIALIZATION_H
#define TW_EXPLAIN_PATH_SERIALIZATION_H

#include "explain/model/gap.h"

/* How much longer than the shortest a segment of so many bytes may take to a side, and what answers
 * it back; 0: nothing tells. */
tcpwhy_ns tw_serialization_ns(struct tw_context *context, enum tcpwhy_side to, uint32_t bytes);

#endif
