/* SPDX-License-Identifier: MIT */
#include "track/classify.h"

#include <glib.h>

#include "dissect/checksum.h"
#include "track/seq_unwrap.h"
#include "track/payload.h"
#include "track/steps.h"

/* Largest shift that counts (RFC 7323, section 2.3). */
#define MAX_WSCALE 14

/* Offset of a side's first byte, after its SYN. */
#define FIRST_BYTE 1

/* Pure ACK at the edge of the sequence space: no payload and nothing that takes a number. */
static bool is_pure(const struct tw_segment *s)
{
    return s->len == 0 && !(s->flags & (TW_SYN | TW_FIN | TW_RST));
}

/* ---- windows --------------------------------------------------------------------------------- */

static bool may_offer_scaling(const struct tw_side *side)
{
    return side->syn_options & (TW_OPT_WSCALE | TW_OPT_CUT);
}

/* RFC 7323: scaling is in force only if both SYNs offered it. The snaplen may have cut the offer:
 * it is Linux's last option. */
static void settle_scaling(struct tw_side *a, struct tw_side *b)
{
    if (!a->syn || !b->syn)
        return;
    bool both = (a->syn_options & TW_OPT_WSCALE) && (b->syn_options & TW_OPT_WSCALE);
    int8_t without = may_offer_scaling(a) && may_offer_scaling(b) ? TW_WSCALE_UNKNOWN : 0;

    a->wscale = both ? a->wscale_offered : without;
    b->wscale = both ? b->wscale_offered : without;
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

static void take_probe(struct tw_tracked *t, struct tw_side *own)
{
    t->frame_class = TCPWHY_CLASS_WINDOW_PROBE;
    if (t->segment->len == 0 || t->seq != own->next)
        return;
    own->bytes++;
    own->untaken = 1;
    tw_advance(own, t->seq + 1, t->segment->seq + 1);
}

static bool is_keep_alive(const struct tw_tracked *t, const struct tw_side *own)
{
    const struct tw_segment *s = t->segment;

    return s->len <= 1 && !(s->flags & (TW_SYN | TW_FIN | TW_RST)) && t->seq == own->next - 1 &&
           (t->seq > 0 || !own->syn) && own->acked >= own->next;
}

/* The first segment held of a side: one byte without PSH ends no message (RFC 9293, 3.9.1.2) but
 * may be a keep-alive's repeated byte (3.8.4), unless it is known to be new. */
static bool begins_with_keep_alive(const struct tw_tracked *t, const struct tw_side *own)
{
    const struct tw_segment *s = t->segment;

    return !own->started && s->len == 1 && !(s->flags & (TW_SYN | TW_FIN | TW_RST | TW_PSH)) &&
           (own->acked == 0 || t->seq < own->acked);
}

static void begin_behind_keep_alive(struct tw_tracked *t, struct tw_side *own)
{
    t->frame_class = TCPWHY_CLASS_KEEP_ALIVE;
    tw_advance(own, t->seq + 1, t->segment->seq + 1);
    own->acked = MAX(own->acked, t->seq + 1);
}

/* A pure ACK beyond the data seen: the data in between was sent and did not pass here. */
static void skip_unseen(struct tw_tracked *t, struct tw_side *own)
{
    if (t->seq <= own->next)
        return;
    tw_ranges_add(&own->holes, own->next, t->seq);
    own->hole_ns = t->time_ns;
    t->facts |= TW_FACT_HOLE_BEFORE;
    tw_advance(own, t->seq, t->segment->seq);
}

static uint8_t pure_ack_class(const struct tw_tracked *t, const struct tw_side *own,
                              const struct tw_side *peer, int64_t acked_before)
{
    bool outstanding = peer->next > acked_before;

    if (t->ack > acked_before || !own->started || tw_jumps(peer, t->segment->ack))
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
        t->sack[i][0] = tw_offset_of(peer, s->sack[i][0]);
        t->sack[i][1] = tw_offset_of(peer, s->sack[i][1]);
    }
    t->n_sack = s->n_sack;
    /* RFC 2883: the first block is below the ACK, or inside the second. */
    if (s->n_sack && (t->sack[0][1] <= t->ack || (s->n_sack > 1 && t->sack[0][0] >= t->sack[1][0] &&
                                                  t->sack[0][1] <= t->sack[1][1])))
        t->facts |= TW_FACT_DSACK;
}

/* The capture holds only pure ACKs of the other side one byte below this ACK: keep-alives (RFC
 * 9293, 3.8.4), so that byte was sent before. */
static bool answers_first_keep_alive(const struct tw_tracked *t, const struct tw_side *peer)
{
    return peer->started && !peer->syn && peer->bytes == 0 && peer->holes.n == 0 &&
           peer->next == peer->first && t->ack == peer->next + 1;
}

/* Data in a SYN that its answer does not acknowledge was not accepted: it is sent again after the
 * handshake, and was not lost (TCP Fast Open: RFC 7413, 4.2.2). */
static void leave_untaken(const struct tw_tracked *t, struct tw_side *peer)
{
    if ((t->segment->flags & (TW_SYN | TW_ACK)) == (TW_SYN | TW_ACK) &&
        peer->last_class == TCPWHY_CLASS_SYN && t->ack >= FIRST_BYTE && t->ack < peer->next)
        peer->untaken = (uint32_t)(peer->next - t->ack);
}

static void take_ack(struct tw_tracked *t, struct tw_side *peer)
{
    leave_untaken(t, peer);
    if (t->ack <= peer->acked)
        return;
    if (answers_first_keep_alive(t, peer)) {
        tw_advance(peer, t->ack, t->segment->ack);
    } else if (t->ack > peer->next) {
        tw_ranges_add(&peer->holes, peer->next, t->ack);
        tw_advance(peer, t->ack, t->segment->ack);
        peer->acked_unseen = (uint32_t)peer->frames;
        t->facts |= TW_FACT_ACKS_UNSEEN;
    } else if (tw_ranges_overlap(&peer->holes, peer->acked, t->ack) > 0) {
        t->facts |= TW_FACT_ACKS_UNSEEN;
    }
    peer->acked = t->ack;
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void note_checksum(struct tw_side *own, const struct tw_segment *s)
{
    const uint8_t asked = s->len > 0 ? TW_SUM_ASKED_DATA : TW_SUM_ASKED_BARE;
    const uint8_t begun = s->len > 0 ? TW_SUM_BEGUN_DATA : TW_SUM_BEGUN_BARE;

    if (own->sums & asked)
        return;
    own->sums |= asked | (tw_checksum_is_begun(s) ? begun : 0);
}

static void note_padding(struct tw_side *own, const struct tw_segment *s)
{
    if (tw_is_short(s) && !(own->sums & TW_SUM_ASKED_SHORT))
        own->sums |= TW_SUM_ASKED_SHORT | (s->facts & TW_SEG_UNPADDED ? TW_SUM_UNPADDED : 0);
}

/* ---- handshake round trip ---------------------------------------------------------------------
 */

static void time_handshake(struct tw_tracked *t)
{
    struct tw_connection *c = t->connection;
    uint16_t flags = t->segment->flags;

    if (t->frame_class == TCPWHY_CLASS_SYN)
        c->syn_ns = t->time_ns;
    else if (!(flags & TW_SYN) && (flags & TW_ACK) && t->from == TCPWHY_CLIENT &&
             c->handshake_rtt_ns == TCPWHY_NS_UNKNOWN && c->syn_ns != TCPWHY_NS_UNKNOWN &&
             c->side[TCPWHY_SERVER].syn)
        c->handshake_rtt_ns = t->time_ns - c->syn_ns;
}

static void take_syn_frame(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer)
{
    const struct tw_segment *s = t->segment;

    if (own->syn)
        t->facts |= TW_FACT_SEEN_BEFORE;
    if (own->syn && tw_captured_before(t, own)) {
        t->frame_class = TCPWHY_CLASS_DUPLICATE_FRAME;
        return;
    }
    t->frame_class = s->flags & TW_ACK ? TCPWHY_CLASS_SYN_ACK : TCPWHY_CLASS_SYN;
    own->retransmissions += own->syn;
    take_syn(t, own, peer);
    own->bytes += t->facts & TW_FACT_SEEN_BEFORE ? 0 : s->len;
    tw_advance(own, t->seq + 1 + s->len, s->seq + 1 + s->len);
}

/* foreign: its sequence number is not of this stream. */
static void classify_frame(struct tw_tracked *t, struct tw_side *own, struct tw_side *peer,
                           int64_t acked_before, bool foreign)
{
    const struct tw_segment *s = t->segment;

    if (s->flags & TW_SYN) {
        take_syn_frame(t, own, peer);
    } else if (s->flags & TW_RST) {
        t->frame_class = TCPWHY_CLASS_RST;
        own->rst = true;
    } else if (foreign) {
        t->frame_class = TCPWHY_CLASS_ACK; /* keep it out of the sequence space */
    } else if (is_probe(t, own, peer)) {
        take_probe(t, own);
    } else if (is_keep_alive(t, own)) {
        t->frame_class = TCPWHY_CLASS_KEEP_ALIVE;
    } else if (begins_with_keep_alive(t, own)) {
        begin_behind_keep_alive(t, own);
    } else if (!is_pure(s)) {
        tw_payload_take(t, own);
    } else if (t->ack <= acked_before && tw_captured_before(t, own)) {
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
    bool foreign = !tw_seq_unwrap_take_seq(t, own, peer);

    t->window_bytes = scaled_window(own, s);
    if (s->flags & TW_ACK) {
        tw_seq_unwrap_take_ack(t, own, peer);
        take_sack(t, peer);
        acked_before = peer->acked;
        take_ack(t, peer);
    }
    if (s->facts & TW_SEG_PAYLOAD_CUT)
        t->facts |= TW_FACT_PAYLOAD_CUT;
    classify_frame(t, own, peer, acked_before, foreign);
    time_handshake(t);
    own->copies += t->frame_class == TCPWHY_CLASS_DUPLICATE_FRAME;
    if (t->frame_class != TCPWHY_CLASS_OUT_OF_ORDER &&
        t->frame_class != TCPWHY_CLASS_DUPLICATE_FRAME)
        tw_follow_counters(own, s);
    if (t->frame_class == TCPWHY_CLASS_OUT_OF_ORDER || (own->started && s->flags & TW_SYN))
        own->ids_lack = true; /* its other fields are not looked at */
    note_checksum(own, s);
    note_padding(own, s);
    own->started = true;
    if (s->flags & (TW_FIN | TW_RST))
        t->connection->closing = true;
    if (!(s->flags & TW_RST))
        own->window_bytes = t->window_bytes;
    t->fresh = (uint32_t)MIN(own->bytes - bytes_before, s->len);
    tw_leave_trace(t, own);
    t->connection->settled = peer->started && tw_connection_is_settled(t->connection);
}
