/* SPDX-License-Identifier: MIT */
/*
 * Requests that are sent before earlier ones are answered. Where they fill the path, each is
 * answered as it arrives: the path is waited for, and neither program.
 */
#ifndef TW_EXPLAIN_TIMELINE_PIPELINED_H
#define TW_EXPLAIN_TIMELINE_PIPELINED_H

#include "explain/timeline/cursor.h"

/* Visit the gap before a request that was sent into a full path before its sender had heard the
 * answer before it: no pause of the asker, but more of what it sends. @return false: it is not. */
bool tw_pipelined_visit_request(struct tw_cursor *cursor, const struct tw_exchange *exchange);

/* Visit the gaps between answers in which requests that had filled the path arrived. */
void tw_pipelined_visit_arrivals(struct tw_cursor *cursor, const struct tw_exchange *exchange);

#endif
