/* SPDX-License-Identifier: MIT */
/*
 * The usual frame, recognised by a few comparisons: in a connection past its start, a segment that
 * continues exactly where its sender stopped, with new bytes or an ACK of more. The rules for
 * handshakes, closes, holes, retransmissions, probes, keep-alives, copies and SACK cannot apply, so
 * this file leaves them out and adds none. The fuzzer and the tests compare both paths on each
 * frame.
 */
#include "track/classify.h"

#include <glib.h>

#include "track/steps.h"

static bool is_settled(const struct tw_side *side)
{
    return side->started && side->isn_known && side->base_known && side->window_bytes != 0 &&
           side->untaken == 0;
}

/* Wireshark's labels need the full path. */
bool tw_connection_is_settled(const struct tw_connection *c)
{
    bool times_handshake = c->handshake_rtt_ns == TCPWHY_NS_UNKNOWN &&
                           c->syn_ns != TCPWHY_NS_UNKNOWN && c->side[TCPWHY_SERVER].syn;

    return is_settled(&c->side[0]) && is_settled(&c->side[1]) && !times_handshake && !c->ws &&
           !c->astray;
}

bool tw_classify_fast(struct tw_tracked *t, enum tcpwhy_side from)
{
    const struct tw_segment *s = t->segment;
    struct tw_side *side = t->connection->side;
    struct tw_side *own = from == TCPWHY_CLIENT ? side : side + 1;
    struct tw_side *peer = from == TCPWHY_CLIENT ? side + 1 : side;
    /* unacknowledged bytes of the other side */
    const uint32_t behind = peer->next_seq - s->ack, len = s->len;
    const int64_t ack = peer->next - behind;

    if ((s->flags & (TW_SYN | TW_FIN | TW_RST | TW_ACK)) != TW_ACK || s->seq != own->next_seq ||
        s->window == 0 || s->n_sack || behind > TW_MAX_JUMP || t->time_ns < t->connection->last_ns)
        return false;
    if (!(own->sums & TW_SUM_ASKED_SHORT) && tw_is_short(s))
        return false;
    if (ack == peer->acked ? len == 0 : ack < peer->acked || peer->holes.n > 0)
        return false;
    t->seq = own->next;
    t->ack = peer->acked = ack;
    t->fresh = len;
    t->from = (uint8_t)from;
    t->frame_class = TCPWHY_CLASS_ACK;
    t->n_sack = 0;
    t->usual = true;
    if (len > 0) {
        t->frame_class = TCPWHY_CLASS_DATA;
        own->next += len;
        own->next_seq += len;
        own->bytes += len;
        own->largest = MAX(own->largest, len);
    }
    t->facts = s->facts & TW_SEG_PAYLOAD_CUT ? TW_FACT_PAYLOAD_CUT : 0;
    t->window_bytes = own->window_bytes = tw_scaled_window(own, s->window);
    tw_follow_counters(own, s);
    tw_leave_trace(t, own);
    return true;
}
