/* SPDX-License-Identifier: MIT */
/* Whether the short and the plain way of src/track to classify a frame find the same in it, and
 * leave their connection the same. */
#ifndef TW_TESTS_SAME_TRACKED_H
#define TW_TESTS_SAME_TRACKED_H

#include <string.h>

#include "track/track.h"

static inline bool same_side(const struct tw_side *a, const struct tw_side *b)
{
    return a->next_seq == b->next_seq && a->next == b->next && a->first == b->first &&
           a->acked == b->acked && a->window_bytes == b->window_bytes && a->bytes == b->bytes &&
           a->frames == b->frames && a->retransmissions == b->retransmissions &&
           a->id_steps == b->id_steps && a->last_ip_id == b->last_ip_id &&
           a->largest == b->largest && a->last_tsval == b->last_tsval && a->base == b->base &&
           a->base_known == b->base_known && a->timestamps == b->timestamps &&
           a->last_class == b->last_class && a->recent.n == b->recent.n && a->holes.n == b->holes.n;
}

/* Is the frame what usual says of it? */
static inline bool is_as_usual(const struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;

    return (s->flags & (TW_SYN | TW_FIN | TW_RST | TW_ACK)) == TW_ACK && t->n_sack == 0 &&
           !(t->facts & ~TW_FACT_PAYLOAD_CUT) &&
           t->frame_class == (s->len > 0 ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_ACK);
}

static inline bool same_tracked(const struct tw_tracked *a, const struct tw_tracked *b)
{
    return (!a->usual || is_as_usual(a)) && a->from == b->from &&
           a->frame_class == b->frame_class && a->facts == b->facts && a->fresh == b->fresh &&
           a->seq == b->seq && a->ack == b->ack && a->window_bytes == b->window_bytes &&
           a->n_sack == b->n_sack && memcmp(a->sack, b->sack, a->n_sack * sizeof a->sack[0]) == 0 &&
           a->connection->handshake_rtt_ns == b->connection->handshake_rtt_ns &&
           same_side(&a->connection->side[0], &b->connection->side[0]) &&
           same_side(&a->connection->side[1], &b->connection->side[1]);
}

/* Whether the tracker, told that its connections are never settled, says the same of a frame. */
static inline bool plain_tracker_agrees(struct tw_tracker *plain, const struct tw_tracked *tracked)
{
    struct tw_tracked out;

    tw_tracker_push(plain, tracked->segment, tracked->time_ns, tracked->frame, &out);
    out.connection->settled = false;
    return same_tracked(tracked, &out);
}

#endif
