/* SPDX-License-Identifier: MIT */
/*
 * A pause of the sender within a message, with room in every window that is known: what else it may
 * have been than an application that wrote late.
 */
#ifndef TW_EXPLAIN_CAUSES_PAUSE_H
#define TW_EXPLAIN_CAUSES_PAUSE_H

#include "explain/causes/detector.h"

/* The last segment of what is queued is pushed (RFC 9293, 3.9.1.2, MUST-61), so that more stood
 * behind a full one that is not. */
bool tw_pause_left_more(const struct tw_gap *gap);

/* The sender holds such segments as a rule: was its ACK lost to the capture alone? */
bool tw_pause_may_be_held(const struct tw_gap *gap);

/* Away from the sender: may the ACK behind lag_ns have come so much later than by the shortest way,
 * and the segment have left at once? */
bool tw_pause_lag_is_way(const struct tw_gap *gap, tcpwhy_ns rtt_varies_ns);

/* Away from the sender: may what passes behind a pause so long repair what was lost before it came
 * here? */
bool tw_pause_may_be_repair(const struct tw_gap *gap, tcpwhy_ns pause_ns);

/* Which of Nagle's a pause is. */
enum tcpwhy_cause tw_pause_nagle(tcpwhy_ns pause_ns);

/* What else it may have been, over a path of that round trip; TCPWHY_CAUSE_NONE: nothing. */
enum tcpwhy_cause tw_pause_rival(const struct tw_gap *gap, tcpwhy_ns pause_ns, tcpwhy_ns rtt_ns);

#endif
