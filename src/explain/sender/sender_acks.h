/* SPDX-License-Identifier: MIT */
/*
 * Finds what a sender had heard when it sent: which ACKs had reached it, its receive window's edge,
 * and how long until its segments were acknowledged.
 */
#ifndef TW_EXPLAIN_SENDER_SENDER_ACKS_H
#define TW_EXPLAIN_SENDER_SENDER_ACKS_H

#include "explain/sender/sender_timeline.h"

/* Fill in what the records of sends do not show themselves. */
void tw_sender_acks_apply(struct tw_sender_timeline *sends, const struct tw_log *log,
                          const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                          struct tw_scratch *scratch);

#endif
