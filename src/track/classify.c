/* SPDX-License-Identifier: MIT */
#include "track/classify.h"

#include <glib.h>

#include "base/seq.h"
#include "track/steps.h"

/* Largest shift that counts (RFC 7323, section 2.3). */
#define MAX_WSCALE 14

/* Copies of one packet that carries no IP identification must follow this closely to be told
 * from a retransmission, which takes a round trip or a timer. */
#define COPY_WITHOUT_ID TCPWHY_US(200)
/* With the identification of the packet the same, copies may lie a queue apart. */
#define COPY_WITH_ID TCPWHY_MS(500)

/* After so many small steps in a row the identification is taken for a counter. */
#define ID_STEPS_TRUSTED 3

/* Round trip assumed where none was measured, as Wireshark does for the same question. */
#define ASSUMED_RTT TCPWHY_MS(3)

/* Pure ACK at the edge of the sequence space: no payload and nothing that takes a number. */
static bool is_pure(const struct tw_segment *s)
{
    return s->len == 0 && !(s->flags & (TW_SYN | TW_FIN | TW_RST));
}

/* ---- sequence space ------------------------------------------------------------------------ */

static void start_side(struct tw_side *side, const struct tw_segment *s)
{
    side->isn = s->flags & TW_SYN ? s->seq : s->seq - 1;
    side->next_seq = s->seq;
    side->next = side->first = s->flags & TW_SYN ? 0 : 1;
    side->isn_known = true;
}

/* The first ACK tells where the silent side stands: RFC 9293's ISN is at most ack - 1. */
static void infer_side(struct tw_side *side, uint32_t ack)
{
    side->isn = ack - 1;
    side->next_seq = ack;
    side->next = side->first = side->acked = 1;
    side->isn_known = true;
}

/* What a side sent before its first captured frame is no hole of the capture's middle. */
static void begin_at_first_frame(const struct tw_tracked *t, struct tw_side *own)
{
    own->ttl = t->segment->ttl;
    if (!(t->segment->flags & TW_SYN) && t->seq > own->next) {
        own->next = own->first = t->seq;
        own->next_seq = t->segment->seq;
    }
}

static bool jumps(const struct tw_side *side, uint32_t seq)
{
    int32_t d = tw_seq_diff(seq, side->next_seq);

    return d > TW_MAX_JUMP || d < -TW_MAX_JUMP;
}

static int64_t offset_of(const struct tw_side *side, uint32_t seq)
{
    return tw_seq_unwrap(seq, side->next_seq, side->next);
}

static void advance(struct tw_side *side, int64_t end, uint32_t end_seq)
{
    if (end > side->next) {
        side->next = end;
        side->next_seq = end_seq;
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

/* RFC 7323: scaling is in force only when both SYNs offered it. */
static void settle_scaling(struct tw_side *a, struct tw_side *b)
{
    if (!a->syn || !b->syn)
        return;
    bool both = (a->syn_options & TW_OPT_WSCALE) && (b->syn_options & TW_OPT_WSCALE);

    a->wscale = both ? a->wscale_offered : 0;
    b->wscale = both ? b->wscale_offered : 0;
}

static void take_syn(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    own->syn = true;
    own->mss = s->mss;
    own->syn_options = s->options;
    own->wscale_offered = TW_WSCALE_UNKNOWN;
    if (s->options & TW_OPT_WSCALE)
        own->wscale_offered = (int8_t)(s->wscale > MAX_WSCALE ? MAX_WSCALE : s->wscale);
    settle_scaling(own, peer);
}

static int64_t scaled_window(const struct tw_side *side, const struct tw_segment *s)
{
    return s->flags & TW_SYN ? s->window : tw_scaled_window(side, s->window);
}

/* ---- copies of one packet -------------------------------------------------------------------- */

/* Was this very packet captured before (a mirror of both directions, two interfaces merged)? */
static bool captured_before(const struct tw_side *side, const struct tw_segment *s, tcpwhy_ns now)
{
    if (!s->ip_id && !s->len)
        return false;
    return tw_recent_has(&side->recent, s, now, s->ip_id ? COPY_WITH_ID : COPY_WITHOUT_ID);
}

/* ---- data ------------------------------------------------------------------------------------ */

static bool id_is_counter(const struct tw_side *side, const struct tw_segment *s)
{
    return side->id_steps >= ID_STEPS_TRUSTED && s->ip_id && side->last_ip_id;
}

/*
 * A segment brings bytes that were skipped: was it overtaken on the way, or lost before the vantage
 * and sent again? What was sent earlier has the smaller identification and the older timestamp;
 * failing both, a repair cannot come before the news of the hole has gone a round trip.
 */
static uint8_t late_or_repeated(const struct tw_tracked *t, const struct tw_side *own)
{
    const struct tw_segment *s = t->segment;

    if (id_is_counter(own, s)) {
        int16_t step = (int16_t)(s->ip_id - own->last_ip_id);

        if (step < 0 && step > -TW_ID_STEP)
            return TCPWHY_CLASS_OUT_OF_ORDER;
        if (step > 0 && step < TW_ID_STEP)
            return TCPWHY_CLASS_RETRANSMISSION;
    }
    if ((s->options & TW_OPT_TIMESTAMP) && own->timestamps && s->tsval != own->last_tsval)
        return tw_seq_before(s->tsval, own->last_tsval) ? TCPWHY_CLASS_OUT_OF_ORDER
                                                        : TCPWHY_CLASS_RETRANSMISSION;

    tcpwhy_ns rtt = t->connection->handshake_rtt_ns;

    if (rtt == TCPWHY_NS_UNKNOWN)
        rtt = ASSUMED_RTT;
    return t->time_ns - own->hole_ns < rtt / 2 ? TCPWHY_CLASS_OUT_OF_ORDER
                                               : TCPWHY_CLASS_RETRANSMISSION;
}

static void take_new(struct tw_tracked *t, struct tw_side *own, int64_t end)
{
    if (t->seq > own->next) {
        tw_ranges_add(&own->holes, own->next, t->seq);
        own->hole_ns = t->time_ns;
        t->facts |= TW_FACT_HOLE_BEFORE;
    }
    t->frame_class = t->segment->len ? TCPWHY_CLASS_DATA : TCPWHY_CLASS_FIN;
    own->bytes += t->segment->len;
    advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
}

static void take_old(struct tw_tracked *t, struct tw_side *own, int64_t end)
{
    int64_t to = end < own->next ? end : own->next;
    int64_t fresh = tw_ranges_remove(&own->holes, t->seq, to);

    if (t->seq < own->first) {
        fresh += (to < own->first ? to : own->first) - t->seq;
        own->first = t->seq;
    }
    if (fresh > 0) {
        t->facts |= TW_FACT_FILLS_HOLE;
        t->frame_class = late_or_repeated(t, own);
    } else {
        t->frame_class = TCPWHY_CLASS_RETRANSMISSION;
        if (end <= own->next)
            t->facts |= TW_FACT_SEEN_BEFORE;
    }
    if (end > own->next) {
        t->facts |= TW_FACT_NEW_TAIL;
        fresh += end - own->next;
        advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
    }
    own->bytes += (uint64_t)fresh;
}

/* Does the segment begin with the byte of a window probe that the receiver had no room for? That
 * was not lost: its turn is now (RFC 9293, 3.8.6.1). */
static bool begins_with_probed(const struct tw_tracked *t, const struct tw_side *own)
{
    return own->probed && t->segment->len && t->seq == own->next - 1 && own->acked <= t->seq;
}

static void take_probed(struct tw_tracked *t, struct tw_side *own, int64_t end)
{
    t->frame_class = TCPWHY_CLASS_DATA;
    own->bytes += t->segment->len - 1;
    advance(own, end, t->segment->seq + (uint32_t)(end - t->seq));
}

static void take_data(struct tw_tracked *t, struct tw_side *own)
{
    const struct tw_segment *s = t->segment;
    int64_t end = t->seq + s->len + !!(s->flags & TW_FIN);
    bool probed = begins_with_probed(t, own);

    own->probed = false;
    if (probed)
        take_probed(t, own, end);
    else if (t->seq >= own->next)
        take_new(t, own, end);
    else
        take_old(t, own, end);
    if ((t->facts & TW_FACT_SEEN_BEFORE) && captured_before(own, s, t->time_ns))
        t->frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
    if (t->frame_class == TCPWHY_CLASS_RETRANSMISSION)
        own->retransmissions++;
    if (s->len > own->largest)
        own->largest = s->len;
}

/* ---- frames that carry nothing new ----------------------------------------------------------- */

/* Sent at the edge to make the other side answer (RFC 9293, sections 3.8.4 and 3.8.6.1): Linux
 * probes with no byte one before the oldest unacknowledged, others with the next byte. */
static bool is_probe(const struct tw_tracked *t, const struct tw_side *own,
                     const struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    if (s->len > 1 || (s->flags & (TW_SYN | TW_FIN | TW_RST)) || peer->window_bytes != 0)
        return false;
    if (s->len == 0)
        return own->isn_known && (t->seq == own->acked - 1 || t->seq == own->next - 1);
    return t->seq == own->next || t->seq == own->acked;
}

static bool is_keep_alive(const struct tw_tracked *t, const struct tw_side *own)
{
    const struct tw_segment *s = t->segment;

    return s->len <= 1 && !(s->flags & (TW_SYN | TW_FIN | TW_RST)) && t->seq == own->next - 1 &&
           t->seq > 0 && own->acked >= own->next;
}

/* A pure ACK that stands beyond the data seen: what lies between was sent, and did not pass here.
 */
static void skip_unseen(struct tw_tracked *t, struct tw_side *own)
{
    if (t->seq <= own->next)
        return;
    tw_ranges_add(&own->holes, own->next, t->seq);
    own->hole_ns = t->time_ns;
    t->facts |= TW_FACT_HOLE_BEFORE;
    advance(own, t->seq, t->segment->seq);
}

static uint8_t pure_ack_class(const struct tw_tracked *t, const struct tw_side *own,
                              const struct tw_side *peer, int64_t acked_before)
{
    bool outstanding = peer->next > acked_before;

    if (t->ack > acked_before || !own->started)
        return TCPWHY_CLASS_ACK;
    if (peer->last_class == TCPWHY_CLASS_WINDOW_PROBE && t->window_bytes == 0)
        return TCPWHY_CLASS_WINDOW_PROBE_ACK;
    if (t->window_bytes != own->window_bytes && !t->n_sack)
        return TCPWHY_CLASS_WINDOW_UPDATE;
    if (peer->last_class == TCPWHY_CLASS_KEEP_ALIVE)
        return TCPWHY_CLASS_KEEP_ALIVE_ACK;
    return t->ack == acked_before && outstanding ? TCPWHY_CLASS_DUPLICATE_ACK : TCPWHY_CLASS_ACK;
}

/* ---- the acknowledgement in a frame ---------------------------------------------------------- */

static void take_sack(struct tw_tracked *t, const struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    for (int i = 0; i < s->n_sack; i++) {
        t->sack[i][0] = offset_of(peer, s->sack[i][0]);
        t->sack[i][1] = offset_of(peer, s->sack[i][1]);
    }
    t->n_sack = s->n_sack;
    /* RFC 2883: the first block is below the ACK, or inside the second. */
    if (s->n_sack && (t->sack[0][1] <= t->ack || (s->n_sack > 1 && t->sack[0][0] >= t->sack[1][0] &&
                                                  t->sack[0][1] <= t->sack[1][1])))
        t->facts |= TW_FACT_DSACK;
}

static void take_ack(struct tw_tracked *t, struct tw_side *peer)
{
    if (t->ack <= peer->acked)
        return;
    if (t->ack > peer->next) {
        tw_ranges_add(&peer->holes, peer->next, t->ack);
        advance(peer, t->ack, t->segment->ack);
        t->facts |= TW_FACT_ACKS_UNSEEN;
    } else if (tw_ranges_overlap(&peer->holes, peer->acked, t->ack) > 0) {
        t->facts |= TW_FACT_ACKS_UNSEEN;
    }
    peer->acked = t->ack;
}

/* ---- handshake round trip ---------------------------------------------------------------------
 */

static void time_handshake(struct tw_tracked *t)
{
    struct tw_connection *c = t->connection;
    uint16_t flags = t->segment->flags;

    if ((flags & (TW_SYN | TW_ACK)) == TW_SYN)
        c->syn_ns = t->time_ns;
    else if (!(flags & TW_SYN) && (flags & TW_ACK) && t->from == TCPWHY_CLIENT &&
             c->handshake_rtt_ns == TCPWHY_NS_UNKNOWN && c->syn_ns != TCPWHY_NS_UNKNOWN &&
             c->side[TCPWHY_SERVER].syn)
        c->handshake_rtt_ns = t->time_ns - c->syn_ns;
}

/* A SYN/ACK with another number before any data: the server was asked anew and chose again. */
static void restart_if_renumbered(struct tw_side *own, const struct tw_segment *s)
{
    if ((s->flags & TW_SYN) && own->isn_known && s->seq != own->isn && own->bytes == 0) {
        tw_ranges_clear(&own->holes);
        start_side(own, s);
        own->acked = 0;
    }
}

static void take_syn_frame(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    t->frame_class = s->flags & TW_ACK ? TCPWHY_CLASS_SYN_ACK : TCPWHY_CLASS_SYN;
    if (own->syn) {
        t->facts |= TW_FACT_SEEN_BEFORE;
        own->retransmissions++;
    }
    take_syn(t, own, peer);
    own->bytes += t->facts & TW_FACT_SEEN_BEFORE ? 0 : s->len;
    advance(own, t->seq + 1 + s->len, s->seq + 1 + s->len);
}

static void classify_frame(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer,
                           int64_t acked_before)
{
    const struct tw_segment *s = t->segment;

    if (s->flags & TW_SYN) {
        take_syn_frame(t, own, peer);
    } else if (s->flags & TW_RST) {
        t->frame_class = TCPWHY_CLASS_RST;
        own->rst = true;
    } else if (jumps(own, s->seq)) {
        t->seq = own->next; /* forged or foreign: keep it out of the sequence space */
        t->frame_class = TCPWHY_CLASS_ACK;
    } else if (is_probe(t, own, peer)) {
        t->frame_class = TCPWHY_CLASS_WINDOW_PROBE;
        if (s->len && t->seq == own->next)
            own->bytes++, advance(own, t->seq + 1, s->seq + 1), own->probed = true;
    } else if (is_keep_alive(t, own)) {
        t->frame_class = TCPWHY_CLASS_KEEP_ALIVE;
    } else if (!is_pure(s)) {
        take_data(t, own);
    } else if (t->ack <= acked_before && captured_before(own, s, t->time_ns)) {
        t->frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
    } else {
        skip_unseen(t, own);
        t->frame_class = pure_ack_class(t, own, peer, acked_before);
    }
    own->fin |= !!(s->flags & TW_FIN);
}

void tw_classify(struct tw_tracked *t)
{
    const struct tw_segment *s = t->segment;
    struct tw_side *own = &t->connection->side[t->from];
    struct tw_side *peer = &t->connection->side[!t->from];
    int64_t acked_before = peer->acked;
    uint64_t bytes_before = own->bytes;

    restart_if_renumbered(own, s);
    if (!own->isn_known || (!own->started && !(s->flags & TW_SYN) && jumps(own, s->seq)))
        start_side(own, s);
    t->seq = offset_of(own, s->seq);
    if (!own->started)
        begin_at_first_frame(t, own);
    t->window_bytes = scaled_window(own, s);
    if (s->flags & TW_ACK) {
        if (!peer->isn_known)
            infer_side(peer, s->ack);
        t->ack = offset_of(peer, s->ack);
        if (jumps(peer, s->ack))
            t->ack = peer->acked;
        take_sack(t, peer);
        acked_before = peer->acked;
        take_ack(t, peer);
    }
    if (s->facts & TW_SEG_PAYLOAD_CUT)
        t->facts |= TW_FACT_PAYLOAD_CUT;
    classify_frame(t, own, peer, acked_before);
    time_handshake(t);
    if (t->frame_class != TCPWHY_CLASS_OUT_OF_ORDER &&
        t->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        tw_follow_counters(own, s);
    own->started = true;
    if (s->flags & (TW_FIN | TW_RST))
        t->connection->closing = true;
    if (!(s->flags & TW_RST))
        own->window_bytes = t->window_bytes;
    t->fresh = (uint32_t)MIN(own->bytes - bytes_before, s->len);
    tw_leave_trace(t, own);
    t->connection->settled = peer->started && tw_connection_is_settled(t->connection);
}
