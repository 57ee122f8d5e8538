/* SPDX-License-Identifier: MIT */
/*
 * Pauses of a sender within a message: did anything release the segment that ended it, perhaps
 * unseen?
 */
#ifndef TW_EXPLAIN_TIMELINE_PAUSE_H
#define TW_EXPLAIN_TIMELINE_PAUSE_H

#include "explain/model/gap.h"

/* The sender's pause: the shorter of the gap at the vantage and the gap at the sender, since a
 * queue before the vantage spreads segments that left together. */
static inline tcpwhy_ns tw_pause_ns(const struct tw_gap *w)
{
    tcpwhy_ns seen_ns = w->to_ns - w->from_ns, own_ns = w->send->sent_ns - w->before->sent_ns;

    return seen_ns < own_ns ? seen_ns : own_ns;
}

/*
 * Did the sender pause: no known event released the segment, since it left long after the newest
 * ACK, or its sender follows a clock of its own? Then the writer was late, or the event was not
 * seen. The arbiter asks once per gap, for all hypotheses.
 */
bool tw_pause_is(const struct tw_gap *gap);

/* Does the sender follow a clock of its own, without having filled its buffer? */
bool tw_pause_keeps_clock(const struct tw_gap *gap);

/* The last segment queued has PSH (RFC 9293, 3.9.1.2, MUST-61): more was queued behind a full one
 * without it. */
bool tw_pause_left_more(const struct tw_gap *gap);

/* Did the data before the pause end a message, as far as is seen? */
bool tw_pause_ends_message(const struct tw_gap *gap);

/* Without message boundaries the message may be complete: the data that follows may be unsolicited,
 * or an answer to the other side. */
bool tw_pause_may_be_whole(const struct tw_gap *gap);
bool tw_pause_may_be_turn(const struct tw_gap *gap);

/* Away from the sender: may the ACK of since_ack_ns have arrived later than the minimum delay says,
 * and the segment have left at once? */
bool tw_pause_lag_is_way(const struct tw_gap *gap, tcpwhy_ns rtt_varies_ns);

/* Away from the sender: may the segment be the retransmission of one lost before the vantage? */
bool tw_pause_may_be_repair(const struct tw_gap *gap);

/* The sender usually holds such segments: is the ACK missing from the capture alone? */
bool tw_pause_may_be_held(const struct tw_gap *gap);

/* Away from the sender: an ACK of everything passed here before the segment, seemingly too late to
 * have released it. If few samples show the delay, it may be shorter. */
bool tw_pause_may_have_heard_all(const struct tw_gap *gap);

/* Does the segment echo an ACK that the capture holds after it (RFC 7323, 4.3)? */
bool tw_pause_echoes_what_follows(const struct tw_gap *gap);

/* The ACK came late in the pause, and the segment so soon after it that chance rarely explains it:
 * a writer that had filled the send buffer may have been woken; a busy host takes a moment. */
bool tw_pause_may_be_woken(const struct tw_gap *gap);

/* May a late ACK have released it, or one that arrived later than the one-way delays say? */
bool tw_pause_may_await_ack(const struct tw_gap *gap);

#endif
