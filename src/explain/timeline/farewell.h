/* SPDX-License-Identifier: MIT */
/*
 * Data that a side sends only because the connection ends: a QUIT, a TLS close_notify (RFC 8446,
 * 6.1), an answer to the other side's FIN. Nobody waits for it.
 */
#ifndef TW_EXPLAIN_TIMELINE_FAREWELL_H
#define TW_EXPLAIN_TIMELINE_FAREWELL_H

#include "explain/model/gap.h"

struct tw_farewell {
    uint32_t first; /* first record of the last words; TW_NO_RECORD: none */
    uint32_t close; /* the FIN or RST behind them */
};

/* A side's last words are fewer bytes than any path carries at once, just before its FIN or RST. */
struct tw_farewell tw_farewell_find(const struct tw_context *context, enum tcpwhy_side side);

/* Is the record `to` prompt after the other side's FIN, and that FIN long after the record
 * `from`? */
bool tw_farewell_answers_fin(const struct tw_context *context, uint32_t from, uint32_t to);

#endif
