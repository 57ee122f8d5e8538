/* SPDX-License-Identifier: MIT */
/*
 * What a side says only because the connection ends: a QUIT, a TLS close_notify (RFC 8446, 6.1), an
 * answer to the other side's FIN. Nobody waits for that.
 */
#ifndef TW_EXPLAIN_TIMELINE_FAREWELL_H
#define TW_EXPLAIN_TIMELINE_FAREWELL_H

#include "explain/model/gap.h"

struct tw_farewell {
    uint32_t first; /* record with which the last words begin; TW_NO_RECORD: there are none */
    uint32_t close; /* the FIN or RST behind them */
};

/* A side's last words are fewer bytes than every path carries at once, just before its FIN or RST.
 */
struct tw_farewell tw_farewell_find(const struct tw_context *context, enum tcpwhy_side side);

/* Between two records, the second of which is a side's: is the second prompt behind the other
 * side's FIN, and that long after the first? */
bool tw_farewell_answers_fin(const struct tw_context *context, uint32_t from, uint32_t to);

#endif
