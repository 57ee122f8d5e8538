/* SPDX-License-Identifier: MIT */
/*
 * Frames that stand in a capture before what they acknowledge: of two queues of a card, of two
 * ports of a tap or of several CPUs one is written later than the other. Likewise data that stands
 * before the frame that opened the window for it.
 */
#ifndef TW_TRACK_ACK_BEFORE_DATA_H
#define TW_TRACK_ACK_BEFORE_DATA_H

#include "track/track.h"

/*
 * Does a frame of that side acknowledge what was not seen of the other one?
 * @return true with *lacks set to the highest sequence number of that.
 */
bool tw_is_early(const struct tw_connection *connection, enum tcpwhy_side from,
                 const struct tw_segment *segment, uint32_t *lacks);

/* Does a frame of that side end beyond the window that the other one was seen to open? Nobody
 * sends there (RFC 9293, 3.8.6): its sender had heard of a wider one. */
bool tw_is_beyond_window(const struct tw_connection *connection, enum tcpwhy_side from,
                         const struct tw_segment *segment);

/* And does a frame of the other side open it so far? */
bool tw_opens_window(const struct tw_connection *connection, enum tcpwhy_side from,
                     const struct tw_segment *opens, const struct tw_segment *beyond);

/* A few comparisons tell of most frames that they cannot be. */
static inline bool tw_may_be_early(const struct tw_side *peer, const struct tw_segment *s)
{
    return (s->flags & TW_ACK) &&
           (!peer->isn_known || (int32_t)(s->ack - peer->next_seq) > 0 || peer->holes.n > 0 ||
            s->n_sack > 0 || (s->flags & (TW_SYN | TW_RST)));
}

#endif
