/* SPDX-License-Identifier: MIT */
/* IPv4 (RFC 791). Fragments end the walk: putting them together is another stage's work. */
#include "dissect/ip.h"

#define MIN_HEADER 20

/* More fragments, and the offset in units of 8 bytes. */
#define FRAGMENT_MASK 0x3fff

/* The datagram's length settles what is padding. */
static bool take_length(struct tw_layer *at, uint32_t header, struct tw_dissection *out)
{
    uint32_t total = tw_be16(at->bytes, 2);

    if (total == 0) {
        /* Segmentation offload leaves it 0 on frames over 64 KiB; the frame's length counts. */
        out->segment.facts |= TW_SEG_NO_IP_LENGTH;
        return true;
    }
    if (total < header)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (total > at->len)
        out->segment.facts |= TW_SEG_LONGER;
    tw_layer_clip(at, total);
    return true;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    struct tw_segment *s = &out->segment;

    if (!tw_layer_has(at, 1, out))
        return false;
    if (tw_u8(at->bytes, 0) >> 4 == 6)
        return tw_layer_next(at, 0, TW_ETHERTYPE(0x86dd));
    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;

    uint32_t header = (tw_u8(at->bytes, 0) & 15u) * 4;

    if (tw_u8(at->bytes, 0) >> 4 != 4 || header < MIN_HEADER)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!take_length(at, header, out) || !tw_layer_has(at, header, out))
        return false;

    uint8_t proto = tw_u8(at->bytes, 9);

    s->ecn = tw_u8(at->bytes, 1) & 3;
    s->ip_id = tw_be16(at->bytes, 4);
    s->ttl = tw_u8(at->bytes, 8);
    tw_ip_addresses(at, 12, 4, 4, s);
    if (tw_be16(at->bytes, 6) & FRAGMENT_MASK)
        return tw_layer_end(out, proto == TW_PROTO_TCP ? TW_FRAME_FRAGMENT : TW_FRAME_OTHER);
    return tw_layer_next(at, header, TW_IP_PROTO(proto));
}

static const struct tw_key keys[] = {
    { TW_ETHERTYPE(0x0800), NULL },
    { TW_IP_PROTO(4), NULL },
    { TW_PPP_PROTO(0x0021), NULL },
};

TW_PROTOCOL(ipv4, dissect, keys);
