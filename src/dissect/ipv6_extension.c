/* SPDX-License-Identifier: MIT */
/*
 * IPv6 extension headers (RFC 8200 section 4), except mobility and host identity, which carry no
 * payload. Each has at least 8 bytes, so every chain ends with the frame.
 */
#include "dissect/ip.h"

#define HOP_BY_HOP  0
#define ROUTING     43
#define FRAGMENT    44
#define DESTINATION 60
#define SHIM6       140

#define UNIT 8

/* Routing headers with the final destination while segments are left. */
#define ROUTE_SOURCE   0 /* RFC 2460: last of the list */
#define ROUTE_MOBILE   2 /* RFC 6275: the only one */
#define ROUTE_SEGMENTS 4 /* RFC 8754: first of the reversed list */

/* In bytes: the three low bits of the field are not part of the offset. */
#define OFFSET_MASK    0xfff8
#define MORE_FRAGMENTS 1

/* The pseudo header, and so the connection, uses the final destination (RFC 8200, 8.1). */
static void take_route(struct tw_bytes route, struct tw_tuple *tuple)
{
    uint8_t type = tw_u8(route, 2);
    size_t address = UNIT;

    if (tw_u8(route, 3) == 0)
        return;
    if (type == ROUTE_SOURCE && route.len >= 16)
        address = route.len - 16;
    else if (type != ROUTE_MOBILE && type != ROUTE_SEGMENTS)
        return;
    if (tuple->version == 6 && address >= UNIT && tw_bytes_has(route, address, 16))
        memcpy(tuple->address[1], tw_bytes_from(route, address).data, 16);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    for (;;) {
        uint8_t kind = (uint8_t)at->id;
        uint32_t header = UNIT;

        switch (at->id) {
        case TW_IP_PROTO(FRAGMENT):
            break;
        case TW_IP_PROTO(HOP_BY_HOP):
        case TW_IP_PROTO(ROUTING):
        case TW_IP_PROTO(DESTINATION):
        case TW_IP_PROTO(SHIM6):
            header += UNIT * (uint32_t)tw_u8(at->bytes, 1);
            break;
        default:
            return true;
        }
        if (!tw_layer_has(at, header, out))
            return false;

        uint8_t next = tw_u8(at->bytes, 0);

        if (kind == ROUTING)
            take_route(tw_bytes_first(at->bytes, header), &out->segment.tuple);

        uint16_t field = tw_be16(at->bytes, 2);
        uint32_t id = tw_be32(at->bytes, 4);

        tw_layer_next(at, header, TW_IP_PROTO(next));
        /* An atomic fragment (RFC 6946) is the whole datagram. */
        if (kind == FRAGMENT && (field & (OFFSET_MASK | MORE_FRAGMENTS)) &&
            !tw_ip_fragment(at, id, field & OFFSET_MASK, field & MORE_FRAGMENTS, next, out))
            return false;
    }
}

static const uint32_t keys[] = {
    TW_IP_PROTO(HOP_BY_HOP),  TW_IP_PROTO(ROUTING), TW_IP_PROTO(FRAGMENT),
    TW_IP_PROTO(DESTINATION), TW_IP_PROTO(SHIM6),
};

TW_PROTOCOL(ipv6_extension, dissect, keys);
