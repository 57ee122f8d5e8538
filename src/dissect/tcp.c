/* SPDX-License-Identifier: MIT */
/* The TCP header (RFC 9293 section 3.1). */
#include "dissect/layer.h"
#include "dissect/tcp_options.h"

#define MIN_HEADER 20

/* Ports, seq, ack, offset, flags and window: the minimum for a segment. */
#define NEEDED 16

/* Minimum quote of an ICMP error (RFC 792): ports and seq. */
#define QUOTED 8

/* Includes the three reserved bits. */
#define FLAGS_MASK 0x0fff

static void take_lengths(const struct tw_layer *at, struct tw_segment *s)
{
    struct tw_bytes b = at->bytes;
    uint32_t header = s->header_len;

    if (at->len < header)
        s->facts |= TW_SEG_NO_LENGTH;
    if (s->facts & TW_SEG_NO_LENGTH) {
        s->payload = tw_bytes(b.data, 0);
        return;
    }
    s->len = at->len - header;
    s->payload =
        tw_bytes(b.data + (b.len < header ? b.len : header), b.len < header ? 0 : b.len - header);
    if (s->payload.len < s->len)
        s->facts |= TW_SEG_PAYLOAD_CUT;
}

static void take_options(const struct tw_layer *at, struct tw_segment *s)
{
    bool cut = at->bytes.len < s->header_len;

    if (cut)
        s->facts |= TW_SEG_HEADER_CUT;
    if (s->header_len <= MIN_HEADER)
        return;
    if (cut)
        s->options |= TW_OPT_CUT;
    tw_tcp_options(tw_bytes_from(tw_bytes_first(at->bytes, s->header_len), MIN_HEADER), s);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    struct tw_segment *s = &out->segment;
    struct tw_bytes b = at->bytes;
    bool quoted = s->facts & TW_SEG_QUOTED;

    if (!tw_layer_has(at, quoted ? QUOTED : NEEDED, out))
        return false;
    s->tuple.port[0] = tw_be16(b, 0);
    s->tuple.port[1] = tw_be16(b, 2);
    s->seq = tw_be32(b, 4);
    out->kind = quoted ? TW_FRAME_ICMP : TW_FRAME_TCP;
    if (b.len < NEEDED)
        return false;
    s->ack = tw_be32(b, 8);
    s->flags = tw_be16(b, 12) & FLAGS_MASK;
    s->window = tw_be16(b, 14);
    s->header_len = (uint8_t)((tw_u8(b, 12) >> 4) * 4);
    take_lengths(at, s);
    take_options(at, s);
    return false;
}

static const uint32_t keys[] = {
    TW_IP_PROTO(6),
};

TW_PROTOCOL(tcp, dissect, keys);
