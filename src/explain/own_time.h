/* SPDX-License-Identifier: MIT */
/*
 * A server that speaks at its own time: what it says keeps a beat, whenever it was spoken to in
 * between (subscriptions, samples, game states). Where only turns tell, what was said to it last
 * looks like a question, and the rest of the beat like the time that it took to answer.
 */
#ifndef TW_EXPLAIN_OWN_TIME_H
#define TW_EXPLAIN_OWN_TIME_H

#include "app/app.h"

/* What comes so long behind what the client said is of the beat; INT64_MAX: nothing shows one. */
tcpwhy_ns tw_own_time_ns(const struct tw_log *log, const struct tw_exchanges *exchanges);

#endif
