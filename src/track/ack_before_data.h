/* SPDX-License-Identifier: MIT */
/*
 * Frames captured before the data that they acknowledge: of two queues of a card, two ports of a
 * tap or several CPUs, one is written later than the other. Likewise data captured before the frame
 * that opened the window for it.
 */
#ifndef TW_TRACK_ACK_BEFORE_DATA_H
#define TW_TRACK_ACK_BEFORE_DATA_H

#include "track/track.h"

/*
 * Does a frame of that side acknowledge unseen data of the other? @return true with *lacks set to
 * the highest sequence number of that data.
 */
bool tw_is_early(const struct tw_connection *connection, enum tcpwhy_side from,
                 const struct tw_segment *segment, uint32_t *lacks);

/* Does a frame of that side end beyond the window that the other side was seen to open? No sender
 * does that (RFC 9293, 3.8.6): it had heard of a wider window. */
bool tw_is_beyond_window(const struct tw_connection *connection, enum tcpwhy_side from,
                         const struct tw_segment *segment);

/* Does a frame of the other side open the window that far? */
bool tw_opens_window(const struct tw_connection *connection, enum tcpwhy_side from,
                     const struct tw_segment *opens, const struct tw_segment *beyond);

/* A few comparisons exclude most frames. */
static inline bool tw_may_be_early(const struct tw_side *peer, const struct tw_segment *s)
{
    return (s->flags & TW_ACK) &&
           (!peer->isn_known || (int32_t)(s->ack - peer->next_seq) > 0 || peer->holes.n > 0 ||
            s->n_sack > 0 || (s->flags & (TW_SYN | TW_RST)));
}

#endif
