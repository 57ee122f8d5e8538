/* SPDX-License-Identifier: MIT */
#include "track/seq_unwrap.h"

#include <glib.h>

/* No connection exceeds 100 Gbit/s, a processor's copy rate (judgement): bytes per ns. */
#define FASTEST 12.5

static void start_side(struct tw_side *side, const struct tw_segment *s)
{
    side->isn = s->flags & TW_SYN ? s->seq : s->seq - 1;
    side->next_seq = s->seq;
    side->next = side->first = s->flags & TW_SYN ? 0 : 1;
    side->isn_known = true;
}

/* The first ACK shows where the silent side is: its ISN (RFC 9293) is at most ack - 1. */
static void infer_side(struct tw_side *side, uint32_t ack)
{
    side->isn = ack - 1;
    side->next_seq = ack;
    side->next = side->first = side->acked = 1;
    side->isn_known = true;
}

/* Data before a side's first captured frame is no hole in the capture. */
static void begin_at_first_frame(const struct tw_tracked *t, struct tw_side *own)
{
    own->ttl = t->segment->ttl;
    if (!(t->segment->flags & TW_SYN) && t->seq > own->next) {
        own->next = own->first = t->seq;
        own->next_seq = t->segment->seq;
    }
}

/* A SYN/ACK with another number before any data: the server was asked again and chose anew. A side
 * that retransmits its SYN has sent nothing else, whatever was acknowledged: that belonged to an
 * older connection (RFC 9293, 3.5.1). */
static void restart_if_renumbered(struct tw_side *own, const struct tw_segment *s)
{
    bool anew = s->seq != own->isn || (!(s->flags & TW_ACK) && own->next > 1);

    if (anew && own->bytes == 0) {
        tw_ranges_clear(&own->holes);
        start_side(own, s);
        own->acked = 0;
    }
}

/* The side continues with that number from where it is. */
static void renumber(struct tw_side *side, uint32_t seq)
{
    tw_ranges_clear(&side->holes);
    side->isn = seq - (uint32_t)side->next;
    side->next_seq = seq;
    side->acked = side->next;
    side->fin = side->rst = false;
    side->untaken = 0;
}

/*
 * A SYN/ACK with a number that its side has not sent, after data of both: the five-tuple is used
 * anew, and the SYN of the new stream is missing.
 */
static bool is_used_anew(const struct tw_tracked *t, const struct tw_side *own,
                         const struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;
    int64_t at = tw_offset_of(own, s->seq);

    return s->flags & TW_ACK && own->syn && peer->isn_known && (at < 0 || at >= own->next) &&
           (own->bytes > 0 || t->connection->past.row != TW_NO_ROW);
}

/* A SYN of a side whose numbers are known. */
static void take_syn(const struct tw_tracked *t, struct tw_side *own, struct tw_side *peer)
{
    if (is_used_anew(t, own, peer)) {
        renumber(own, t->segment->seq);
        renumber(peer, t->segment->ack - 1);
        own->syn = false;
    } else {
        restart_if_renumbered(own, t->segment);
    }
}

/* The most that may be in flight, by the receiver's last window, or without a scale. */
static uint32_t window_of(const struct tw_side *receiver)
{
    return (uint32_t)CLAMP(receiver->window_bytes, UINT16_MAX, TW_MAX_JUMP);
}

/* A stream only advances. */
static uint32_t way_to(const struct tw_side *side, uint32_t seq)
{
    return seq - side->next_seq;
}

/* Was there enough time for it since the previous frame? */
static bool may_be_there(const struct tw_tracked *t, const struct tw_side *side, uint32_t seq)
{
    return (double)(t->time_ns - t->connection->last_ns) * FASTEST >= way_to(side, seq);
}

/*
 * The number is beyond any window, but both sides have gone there, by the segments of one and the
 * ACKs of the other: the capture lacks the data in between. A number that only one side shows may
 * be forged or another connection's.
 */
static bool leaps(const struct tw_tracked *t, struct tw_side *side, const struct tw_side *receiver,
                  uint32_t seq, uint8_t by)
{
    uint32_t forth = seq - side->jumped_seq;
    bool told = side->jump_by && MIN(forth, -forth) <= window_of(receiver);

    side->jumped_seq = seq;
    if (told && side->jump_by != by) {
        side->jump_by = 0;
        return true;
    }
    if (!told)
        side->jump_by = may_be_there(t, side, seq) ? by : 0;
    return false;
}

bool tw_seq_unwrap_take_seq(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    if (s->flags & TW_SYN && own->isn_known)
        take_syn(t, own, peer);
    if (!own->isn_known || (!own->started && !(s->flags & TW_SYN) && tw_jumps(own, s->seq)))
        start_side(own, s);
    t->seq = tw_offset_of(own, s->seq);
    if (!own->started)
        begin_at_first_frame(t, own);
    if (s->flags & (TW_SYN | TW_RST) || !tw_jumps(own, s->seq))
        return true;
    if (leaps(t, own, peer, s->seq, TW_JUMP_SENT)) {
        t->seq = own->next + way_to(own, s->seq);
        return true;
    }
    t->seq = own->next;
    return false;
}

void tw_seq_unwrap_take_ack(struct tw_tracked *t, const struct tw_side *own, struct tw_side *peer)
{
    const uint32_t ack = t->segment->ack;

    if (!peer->isn_known)
        infer_side(peer, ack);
    if (!tw_jumps(peer, ack))
        t->ack = tw_offset_of(peer, ack);
    else if (!(t->segment->flags & (TW_SYN | TW_RST)) && leaps(t, peer, own, ack, TW_JUMP_ACKED))
        t->ack = peer->next + way_to(peer, ack);
    else
        t->ack = peer->acked;
}
