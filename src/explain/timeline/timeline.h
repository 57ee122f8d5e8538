/* SPDX-License-Identifier: MIT */
/*
 * A connection's life after its setup as a row of waits: for the request, for the answer to begin,
 * for the next segment of a message.
 */
#ifndef TW_EXPLAIN_TIMELINE_TIMELINE_H
#define TW_EXPLAIN_TIMELINE_TIMELINE_H

#include "explain/timeline/gap_sink.h"

/* Tell the waits from the record at which data may begin until somebody ends the connection. What
 * senders heard is added to the scene where it is asked for.
 * @return the record at which the end begins: FIN, RST, or the last record. */
uint32_t tw_timeline_walk(struct tw_context *context, uint32_t from, struct tw_gap_sink *sink);

#endif
