/* SPDX-License-Identifier: MIT */
/*
 * Where an answer ends if nothing marks the ends of messages: before a time in which, as the ledger
 * has it, nobody waited. What its side sends afterwards is news, and no part of it.
 */
#ifndef TW_REPORT_ROWS_ANSWER_END_H
#define TW_REPORT_ROWS_ANSWER_END_H

#include "report/rows/connection_result.h"

/* *span goes on from exchange to exchange, and begins with 0.
 *
 * @return the exchange, or the copy with an earlier end. */
const struct tw_exchange *tw_answer_end(const struct tw_connection_result *result,
                                        const struct tw_exchange *exchange, uint32_t *span,
                                        struct tw_exchange *copy);

#endif
