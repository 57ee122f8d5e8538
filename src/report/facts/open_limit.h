/* SPDX-License-Identifier: MIT */
/*
 * Were SYNs dropped at a constant number of open connections? Then a limit in front of the listener
 * counts them: a full conntrack table, connlimit, a load balancer's maximum. Were they dropped
 * while none was open? Then no queue of the listener was full.
 */
#ifndef TW_REPORT_FACTS_OPEN_LIMIT_H
#define TW_REPORT_FACTS_OPEN_LIMIT_H

#include <glib.h>

#include "report/facts/connection_attempts.h"

/* attempts: n openings, all of one listener. @return how many connections were there whenever a SYN
 * was dropped, and never when one was answered; 0: no such number. */
uint32_t tw_open_limit(struct tw_opening *const *attempts, guint n);

/* Was there no connection that may have waited in the listener's queue whenever it dropped a SYN or
 * set a handshake aside? mostly: at half of these times or more. */
bool tw_open_none(struct tw_opening *const *attempts, guint n, bool mostly);

/* The upper bound of the connections in a listener's full queue, since never fewer were there when
 * it dropped a SYN. @return 0: too few SYNs were dropped. */
uint32_t tw_open_queue(struct tw_opening *const *attempts, guint n);

#endif
