/* SPDX-License-Identifier: MIT */
#ifndef TW_EXPLAIN_TIMELINE_TEARDOWN_H
#define TW_EXPLAIN_TIMELINE_TEARDOWN_H

#include "explain/model/gap.h"

/* The record at which a side ends the connection, or finds it ended, from a record on. */
uint32_t tw_teardown_find(const struct tw_log *log, uint32_t from);

/*
 * The record with which a side's program closed its socket before the other had said all: it resets
 * what comes behind its FIN, and acknowledges none (RFC 1122, 4.2.2.13), so that nobody waited for
 * it. TW_NO_RECORD: it heard all, as far as the log tells.
 */
uint32_t tw_teardown_of_deaf(const struct tw_connection *connection, const struct tw_log *log,
                             enum tcpwhy_side side);

/* Does the capture end with a wait between two records, before anybody ends the connection, and
 * sooner than a held segment comes? */
bool tw_teardown_is_cut(const struct tw_log *log, uint32_t from, uint32_t end);

/* Is there such a window between two records, the second of which ends the connection? */
bool tw_teardown_is_closed(const struct tw_log *log, uint32_t from, uint32_t end,
                           struct tw_closed_window *closed);

/* Add the span from the frame that ends the connection to its last one: close or reset. */
void tw_teardown_explain(const struct tw_log *log, uint32_t from, struct tw_explanation *out);

#endif
