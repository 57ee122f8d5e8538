/* SPDX-License-Identifier: MIT */
/* GRE (RFC 2784, RFC 2890), its enhanced form for PPTP (RFC 2637) and Cisco's WCCP redirects. */
#include "dissect/layer.h"

#define HEADER 4

#define CHECKSUM 0x8000
#define ROUTING  0x4000
#define KEY      0x2000
#define SEQUENCE 0x1000
#define ACK      0x0080 /* PPTP */
#define VERSION  0x0007

#define TYPE_WCCP   0x883e
#define TYPE_ERSPAN 0x88be

/* Aruba's access points forward 802.11 frames with these types, one per tunnel. */
#define IS_ARUBA(type) ((type) >= 0x8200 && (type) <= 0x8370 && (type) % 16 == 0)

/* Source route entries (RFC 1701): family, offset, length, bytes; family and length 0 end them. */
static uint32_t skip_routing(struct tw_bytes b, uint32_t at)
{
    while (tw_bytes_has(b, at, 4)) {
        bool last = tw_be16(b, at) == 0 && tw_u8(b, at + 3) == 0;

        at += 4u + tw_u8(b, at + 3);
        if (last)
            break;
    }
    return at;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER;

    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint16_t flags = tw_be16(at->bytes, 0);
    uint16_t type = tw_be16(at->bytes, 2);

    header += flags & (CHECKSUM | ROUTING) ? 4 : 0;
    header += flags & KEY ? 4 : 0;
    header += flags & SEQUENCE ? 4 : 0;
    header += (flags & VERSION) == 1 && (flags & ACK) ? 4 : 0;
    if (flags & ROUTING)
        header = skip_routing(at->bytes, header);
    if (!tw_layer_has(at, header, out))
        return false;
    if (type == TYPE_WCCP) {
        /* WCCP version 2 has four bytes of its own before IP. */
        header += tw_u8(at->bytes, header) >> 4 == 4 ? 0 : 4;
        return tw_layer_next(at, header, TW_ETHERTYPE(0x0800));
    }
    /* ERSPAN type I has no header, and is recognised by the missing GRE sequence number. */
    if (type == TYPE_ERSPAN && !(flags & SEQUENCE))
        return tw_layer_next(at, header, TW_LINK(1));
    return tw_layer_next(at, header, IS_ARUBA(type) ? TW_LINK(105) : TW_GRE_PROTO(type));
}

static const uint32_t keys[] = {
    TW_IP_PROTO(47), TW_UDP_PORT(4754), /* RFC 8086 */
};

TW_PROTOCOL(gre, dissect, keys);
