/* SPDX-License-Identifier: MIT */
/*
 * A pause of the sender within a message: did anything let go what ended it, and what may have that
 * the capture does not show?
 */
#ifndef TW_EXPLAIN_TIMELINE_PAUSE_H
#define TW_EXPLAIN_TIMELINE_PAUSE_H

#include "explain/model/gap.h"

/* How long the sender paused: a queue between it and us spreads what left together. */
static inline tcpwhy_ns tw_pause_ns(const struct tw_gap *w)
{
    tcpwhy_ns seen_ns = w->to_ns - w->from_ns, own_ns = w->send->sent_ns - w->before->sent_ns;

    return seen_ns < own_ns ? seen_ns : own_ns;
}

/*
 * Did the sender pause within a message: nothing that is known let the segment go, since it left
 * long after the newest ACK, or its sender keeps to a clock of its own? Then whoever writes was
 * late, or what let it go is not seen. The arbiter asks once a gap, for all hypotheses.
 */
bool tw_pause_is(const struct tw_gap *gap);

/* Does the sender keep to a clock of its own, and had not filled its buffer? */
bool tw_pause_keeps_clock(const struct tw_gap *gap);

/* The last segment of what is queued is pushed (RFC 9293, 3.9.1.2, MUST-61), so that more stood
 * behind a full one that is not. */
bool tw_pause_left_more(const struct tw_gap *gap);

/* Did what came before it end a message, as far as that is seen? */
bool tw_pause_ends_message(const struct tw_gap *gap);

/* Where only turns tell, it may have: what goes on may be said unasked, or answer the other side,
 * whose turn it was. */
bool tw_pause_may_be_whole(const struct tw_gap *gap);
bool tw_pause_may_be_turn(const struct tw_gap *gap);

/* Away from the sender: may the ACK of since_ack_ns have come so much later than by the shortest
 * way, and the segment have left at once? */
bool tw_pause_lag_is_way(const struct tw_gap *gap, tcpwhy_ns rtt_varies_ns);

/* Away from the sender: may what passes behind the pause repair what was lost before it came here?
 */
bool tw_pause_may_be_repair(const struct tw_gap *gap);

/* The sender holds such segments as a rule: was its ACK lost to the capture alone? */
bool tw_pause_may_be_held(const struct tw_gap *gap);

/* Away from the sender: an ACK of all passed here before the segment, as it seems too late to have
 * let it go. Where few samples tell the way, it is shorter than they say. */
bool tw_pause_may_have_heard_all(const struct tw_gap *gap);

/* Does the segment echo an ACK that the capture holds behind it (RFC 7323, 4.3)? */
bool tw_pause_echoes_what_follows(const struct tw_gap *gap);

/* The ACK came so late in the pause that the segment hardly left soon after it by chance. Whoever
 * had filled the send buffer may have been woken by it; a busy host takes a moment. */
bool tw_pause_may_be_woken(const struct tw_gap *gap);

/* May an ACK have let it go that came later than the ways tell, or was late itself? */
bool tw_pause_may_await_ack(const struct tw_gap *gap);

#endif
