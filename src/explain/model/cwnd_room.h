/* SPDX-License-Identifier: MIT */
/*
 * When the congestion window let each segment of a sender go, by the replay of its TCP.
 */
#ifndef TW_EXPLAIN_MODEL_CWND_ROOM_H
#define TW_EXPLAIN_MODEL_CWND_ROOM_H

#include "explain/sender/sender_timeline.h"

/*
 * The interval of release of one send, at its sender: since when the largest window that its TCP
 * may have had has had room for it, and since when even the smallest has, with what a kernel leaves
 * unused to fill a card's large segment. Unknown: it has not. The window may be full until the
 * former, and held nothing from the latter on.
 */
struct tw_cwnd_room {
    tcpwhy_ns maybe_ns, surely_ns;
    bool grows; /* it may be in slow start: below what ssthresh may be */
};

/* The rooms of all sends of a side, worked out when they are first asked for. */
struct tw_cwnd_rooms {
    struct tw_cwnd_room *room; /* by send; NULL: nobody asked yet */
};

const struct tw_cwnd_room *tw_cwnd_room_of(struct tw_cwnd_rooms *rooms, const struct tw_log *log,
                                           const struct tw_sender_timeline *sends,
                                           const struct tw_send *send, struct tw_scratch *scratch);

#endif
