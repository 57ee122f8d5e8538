/* SPDX-License-Identifier: MIT */
/*
 * Did a listener drop SYNs for their timestamps? Clients behind one address have clocks of their
 * own. A server that remembers one timestamp an address (tcp_tw_recycle, until Linux 4.12) drops
 * the SYNs of all but the one that is ahead.
 */
#ifndef TW_REPORT_FACTS_TIMESTAMPS_BEHIND_H
#define TW_REPORT_FACTS_TIMESTAMPS_BEHIND_H

#include <glib.h>

#include "report/facts/unanswered_syns.h"

struct tw_opening;

/* attempts: n openings, all of one listener. Count those whose SYN is behind. */
void tw_timestamps_behind(struct tw_opening *const *attempts, guint n,
                          struct tw_retransmit_evidence *evidence);

#endif
