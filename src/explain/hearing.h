/* SPDX-License-Identifier: MIT */
/*
 * What a sender had heard when it sent: which of the receiver's ACKs had reached it, where its
 * window ended, and how long until its segments were acknowledged.
 */
#ifndef TW_EXPLAIN_HEARING_H
#define TW_EXPLAIN_HEARING_H

#include "explain/sends.h"

/* Fill in what the records of sends do not tell themselves. */
void tw_sends_hear(struct tw_sends *sends, const struct tw_log *log, const struct tw_survey *survey,
                   const struct tw_vantage *vantage, struct tw_scratch *scratch);

#endif
