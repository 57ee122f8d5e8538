/* SPDX-License-Identifier: MIT */
/*
 * IPv6 extension headers (RFC 8200 section 4). Each is at least 8 bytes long, so a chain ends with
 * the frame however it is made.
 */
#include "dissect/ip.h"

#define HOP_BY_HOP  0
#define ROUTING     43
#define FRAGMENT    44
#define DESTINATION 60
#define MOBILITY    135
#define HOST_ID     139
#define SHIM6       140

#define UNIT 8

/* The offset, and whether more follow. */
#define FRAGMENT_MASK 0xfff9

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
        case TW_IP_PROTO(MOBILITY):
        case TW_IP_PROTO(HOST_ID):
        case TW_IP_PROTO(SHIM6):
            header += UNIT * (uint32_t)tw_u8(at->bytes, 1);
            break;
        default:
            return true;
        }
        if (!tw_layer_has(at, header, out))
            return false;

        uint8_t next = tw_u8(at->bytes, 0);

        /* An "atomic" fragment (RFC 6946) is the whole datagram. */
        if (kind == FRAGMENT && (tw_be16(at->bytes, 2) & FRAGMENT_MASK))
            return tw_layer_end(out, next == TW_PROTO_TCP ? TW_FRAME_FRAGMENT : TW_FRAME_OTHER);
        tw_layer_next(at, header, TW_IP_PROTO(next));
    }
}

static const struct tw_key keys[] = {
    { TW_IP_PROTO(HOP_BY_HOP), NULL }, { TW_IP_PROTO(ROUTING), NULL },
    { TW_IP_PROTO(FRAGMENT), NULL },   { TW_IP_PROTO(DESTINATION), NULL },
    { TW_IP_PROTO(MOBILITY), NULL },   { TW_IP_PROTO(HOST_ID), NULL },
    { TW_IP_PROTO(SHIM6), NULL },
};

TW_PROTOCOL(ipv6_extension, dissect, keys);
