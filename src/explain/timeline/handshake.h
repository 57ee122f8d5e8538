/* SPDX-License-Identifier: MIT */
/*
 * The start of a connection: handshake, retransmitted SYNs, refusal.
 */
#ifndef TW_EXPLAIN_TIMELINE_HANDSHAKE_H
#define TW_EXPLAIN_TIMELINE_HANDSHAKE_H

#include "app/app.h"
#include "explain/explanation.h"
#include "log/log.h"
#include "track/track.h"

/*
 * Add the spans of the connection's setup. @return the record at which data may begin; the last
 * record when the connection never came about.
 */
uint32_t tw_handshake_explain(const struct tw_connection *connection, const struct tw_log *log,
                              const struct tw_vantage *vantage, struct tw_explanation *out);

#endif
