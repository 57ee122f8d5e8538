/* SPDX-License-Identifier: MIT */
/* IPv4 (RFC 791). */
#include "dissect/ip.h"

#define MIN_HEADER 20

#define MORE_FRAGMENTS 0x2000
#define OFFSET_MASK    0x1fff /* units of 8 bytes */

/* Options (RFC 791 section 3.1). */
#define OPTION_END          0
#define OPTION_NOP          1
#define LOOSE_SOURCE_ROUTE  131
#define STRICT_SOURCE_ROUTE 137

/* An unfinished source route ends in the real destination. */
static void take_route(struct tw_bytes route, struct tw_tuple *tuple)
{
    uint8_t pointer = tw_u8(route, 2);

    if (pointer >= 4 && pointer % 4 == 0 && tw_bytes_has(route, pointer - 1u, 4))
        memcpy(tuple->address[1], tw_bytes_from(route, route.len - 4).data, 4);
}

static void take_options(struct tw_bytes options, struct tw_tuple *tuple)
{
    size_t at = 0;

    while (at < options.len && tw_u8(options, at) != OPTION_END) {
        uint8_t kind = tw_u8(options, at);
        uint8_t len = kind == OPTION_NOP ? 1 : tw_u8(options, at + 1);

        if (kind != OPTION_NOP && (len < 2 || !tw_bytes_has(options, at, len)))
            return;
        if (kind == LOOSE_SOURCE_ROUTE || kind == STRICT_SOURCE_ROUTE) {
            take_route(tw_bytes_first(tw_bytes_from(options, at), len), tuple);
            return;
        }
        at += len;
    }
}

/* The datagram's length determines the padding. */
static bool take_length(struct tw_layer *at, uint32_t header, struct tw_dissection *out)
{
    uint32_t total = tw_be16(at->bytes, 2);

    if (total == 0) {
        /* 0 with segmentation offload of frames over 64 KiB; use the frame's length. */
        out->segment.facts |= TW_SEG_NO_IP_LENGTH;
        return true;
    }
    if (total < header)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    tw_ip_length(at, total, &out->segment);
    return true;
}

/* A truncated first fragment cannot be reassembled, so its headers are read here. */
static bool is_fragment(const struct tw_layer *at, struct tw_dissection *out)
{
    uint16_t field = tw_be16(at->bytes, 6);
    uint16_t total = tw_be16(at->bytes, 2);

    if ((field & (MORE_FRAGMENTS | OFFSET_MASK)) == 0)
        return false;
    if ((field & OFFSET_MASK) != 0 || at->bytes.len >= total)
        return true;
    out->segment.facts |= TW_SEG_NO_LENGTH;
    return false;
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

    s->ip_id = tw_be16(at->bytes, 4);
    s->ttl = tw_u8(at->bytes, 8);
    tw_ip_addresses(at, 12, 4, 4, s);
    if (header > MIN_HEADER)
        take_options(tw_bytes_from(tw_bytes_first(at->bytes, header), MIN_HEADER), &s->tuple);
    if (!is_fragment(at, out))
        return tw_layer_next(at, header, TW_IP_PROTO(proto));

    uint16_t field = tw_be16(at->bytes, 6);

    tw_layer_next(at, header, TW_IP_PROTO(proto));
    return tw_ip_fragment(at, s->ip_id, (field & OFFSET_MASK) * 8u, field & MORE_FRAGMENTS, proto,
                          out);
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x0800), TW_IP_PROTO(4),       TW_PPP_PROTO(0x0021),
    TW_PPP_PROTO(0x0800), TW_GRE_PROTO(0x0800), TW_NSH_PROTO(1),
};

TW_PROTOCOL(ipv4, dissect, keys);
