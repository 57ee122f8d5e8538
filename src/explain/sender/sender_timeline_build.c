/* SPDX-License-Identifier: MIT */
#include "explain/sender/sender_timeline_build.h"

#include <glib.h>

#include "explain/sender/sender_acks.h"
#include "explain/sender/window_scale.h"
#include "explain/thresholds.h"
#include "explain/vantage/ip_id.h"

/* Size of the timestamp option with its padding (RFC 7323). */
#define TIMESTAMP_BYTES 12

/* A side's sends while they are built. */
struct outline {
    struct tw_sender_timeline *out;
    struct tw_send *next; /* slot of the next one */
    int64_t highest;      /* offset after the highest byte sent */
    uint32_t mss_bytes;
    uint32_t repeats;
};

/* These are no sends: a window probe's byte is sent again when there is room. */
#define NO_SENDS                                                                                   \
    (1u << TCPWHY_CLASS_DUPLICATE_FRAME | 1u << TCPWHY_CLASS_KEEP_ALIVE |                          \
     1u << TCPWHY_CLASS_WINDOW_PROBE)

static bool is_send(const struct tw_record *r)
{
    return (r->len || (r->flags & TW_FIN)) && !(r->flags & (TW_SYN | TW_RST)) &&
           !(1u << r->frame_class & NO_SENDS);
}

/* Payload of a segment of the MSS in a SYN. */
static uint32_t payload_of(const struct tw_connection *c, uint32_t mss)
{
    return c->side[0].timestamps && c->side[1].timestamps && mss > TIMESTAMP_BYTES
               ? mss - TIMESTAMP_BYTES
               : mss;
}

/* Did a side send more than it would accept, in segments that the other side accepts? */
static bool fills_peers(uint32_t largest, uint32_t own, uint32_t peers)
{
    return largest > own && largest % own != 0 && (largest <= peers || largest % peers == 0);
}

/*
 * Full segments usually carry the smaller MSS of both SYNs, less the options of each segment;
 * offload shows multiples of it. Only the other side's MSS binds the sender (RFC 9293, 3.7.1): some
 * announce less than they send. Without SYNs, the largest payload.
 */
static uint32_t agreed_segment(const struct tw_connection *c, enum tcpwhy_side from)
{
    const struct tw_side *own = &c->side[from], *peer = &c->side[!from];
    uint32_t peers = payload_of(c, peer->mss), least = payload_of(c, own->mss);

    if (peer->mss == 0)
        return CLAMP(own->largest, TW_DEFAULT_MSS, TW_JUMBO_MSS);
    return own->mss && own->mss < peer->mss && !fills_peers(own->largest, least, peers) ? least
                                                                                        : peers;
}

/* Does a record carry the data right after another one's? It is the side's next. */
static bool is_followed(const struct tw_record *r, const struct tw_record *end)
{
    const struct tw_record *next = r + 1;

    while (next < end && (next->from != r->from || next->len == 0))
        next++;
    return next < end && next->seq == tw_record_end(r);
}

/* Did the sender cut data after a segment of this size? The last of what is queued has PSH (RFC
 * 9293, 3.9.1.2, MUST-61). */
static bool cuts_at(const struct tw_log *log, enum tcpwhy_side from, uint32_t bytes)
{
    const struct tw_record *end = log->record + log->n;
    uint32_t cuts = 0;

    for (const struct tw_record *r = log->record; r < end && cuts < TW_OFTEN; r++)
        if (r->len == bytes && r->from == from && !(r->flags & TW_PSH))
            cuts += is_followed(r, end);
    return cuts == TW_OFTEN;
}

/*
 * A sender may send less than the agreed MSS: options of its own in each segment (Multipath TCP,
 * TCP-MD5), room for options it might need (gVisor), or a path MTU it has learned.
 */
static uint32_t full_segment(const struct tw_connection *c, const struct tw_log *log,
                             const struct tw_prescan *prescan, enum tcpwhy_side from,
                             uint32_t agreed)
{
    uint32_t largest = c->side[from].largest;

    return largest < agreed && largest >= TW_SMALLEST_MSS && prescan->long_messages[from] &&
                   cuts_at(log, from, largest)
               ? largest
               : agreed;
}

/* most are full or smaller: no division needed */
static bool is_partial(uint32_t len, uint32_t mss_bytes)
{
    return len < mss_bytes ? len > 0 : len > mss_bytes && len % mss_bytes != 0;
}

/* From the record itself. Rare flags are looked at only in unusual records. */
static inline void add_send(struct outline *o, const struct tw_record *r, uint32_t index,
                            unsigned told, bool usual)
{
    struct tw_send *s = o->next++;
    const uint32_t len = r->len;
    unsigned is = r->flags & told;
    int64_t end = r->seq + len + (usual ? 0 : is & TW_FIN);

    s->end = end;
    s->record = index;
    s->len = len;
    s->behind = 0;
    if (end > o->highest) {
        o->highest = end;
        is |= TW_SEND_FRESH;
    } else {
        s->behind = (uint32_t)(o->highest - end); /* sequence numbers reach no further than 2^31 */
    }
    if (!usual && r->frame_class == TCPWHY_CLASS_RETRANSMISSION) {
        o->repeats++;
        is |= TW_SEND_REPEAT;
    }
    if (is_partial(len, o->mss_bytes))
        is |= TW_SEND_PARTIAL;
    s->is = (uint8_t)is;
}

/* The SYN/ACK; NULL: the capture does not begin with the handshake. */
static const struct tw_record *syn_ack_of(const struct tw_log *log)
{
    for (const struct tw_record *r = log->record, *end = r + log->n; r < end && r->flags & TW_SYN;
         r++)
        if (r->flags & TW_ACK)
            return r;
    return NULL;
}

/* Without the SYN/ACK the flag may be part of a counter (RFC 9768) and shows nothing. */
static bool has_classic_ecn(const struct tw_record *syn_ack)
{
    return syn_ack && (syn_ack->flags & (TW_ECE | TW_CWR | TW_AE)) == TW_ECE;
}

/* The SYN/ACK closes the window. */
static bool begins_closed(const struct tw_record *syn_ack, enum tcpwhy_side from)
{
    return syn_ack && syn_ack->window_bytes == 0 && syn_ack->from != (uint8_t)from;
}

static void begin(struct outline *o, const struct tw_connection *c, const struct tw_log *log,
                  const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                  struct tw_scratch *scratch, struct tw_sender_timeline *out, enum tcpwhy_side from)
{
    uint32_t agreed = agreed_segment(c, from);

    *out = (struct tw_sender_timeline) { .from = from,
                                         .record = log->record,
                                         .to_sender = vantage->to_side_ns[from],
                                         .agreed_bytes = agreed,
                                         .mss_bytes = full_segment(c, log, prescan, from, agreed) };
    out->send = tw_scratch_get(scratch, prescan->n_segments[from], sizeof *out->send);
    *o = (struct outline) {
        .out = out, .next = out->send, .highest = 1, .mss_bytes = out->mss_bytes
    };
}

/* Usually the newest has, or the one before a FIN. */
static bool has_payload(const struct tw_sender_timeline *x)
{
    for (uint32_t i = x->n; i-- > 0;)
        if (x->send[i].len > 0)
            return true;
    return false;
}

/* The ACKs that a side had when it sent are filled in only for connections that need them. */
static void finish(const struct outline *o, const struct tw_connection *c, const struct tw_log *log,
                   const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                   struct tw_scratch *scratch)
{
    struct tw_sender_timeline *out = o->out;

    out->n = (uint32_t)(o->next - out->send);
    out->repeats = o->repeats;
    if (vantage->to_side_ns[out->from] > 0 && c->side[out->from].frames >= TW_FEWEST &&
        c->side[out->from].ids_lack && has_payload(out))
        out->lacks = tw_ip_id_missing(log, out->from, out->mss_bytes, tw_min_rtt_ns(vantage),
                                      scratch, &out->n_lacks);
    if (c->side[!out->from].wscale == TW_WSCALE_UNKNOWN && prescan->long_messages[out->from])
        tw_window_scale_infer(out, log);
    if (prescan->long_messages[out->from] || out->repeats > 0 || out->lacks ||
        begins_closed(syn_ack_of(log), out->from))
        tw_sender_acks_apply(out, log, prescan, vantage, scratch);
}

void tw_sender_timeline_build(const struct tw_connection *c, const struct tw_log *log,
                              const struct tw_prescan *prescan, const struct tw_vantage *vantage,
                              struct tw_scratch *scratch, struct tw_sender_timeline out[2])
{
    const struct tw_record *record = log->record, *end = record + log->n;
    const unsigned told = has_classic_ecn(syn_ack_of(log)) ? TW_FIN | TW_CWR : TW_FIN;
    struct outline side[2];

    for (int i = 0; i < 2; i++)
        begin(&side[i], c, log, prescan, vantage, scratch, &out[i], (enum tcpwhy_side)i);
    for (const struct tw_record *r = record; r < end; r++) {
        if (G_LIKELY(r->usual)) {
            if (r->len > 0)
                add_send(&side[r->from], r, (uint32_t)(r - record), told, true);
        } else if (is_send(r)) {
            add_send(&side[r->from], r, (uint32_t)(r - record), told, false);
        }
    }
    for (int i = 0; i < 2; i++)
        finish(&side[i], c, log, prescan, vantage, scratch);
}
