/* SPDX-License-Identifier: MIT */
/* Frame relay: RFC 2427's protocol identifiers, or Cisco's Ethernet type. */
#include "dissect/layer.h"

#define MAX_ADDRESS 4
#define LAST        0x01 /* in the last byte of the address */

#define UNNUMBERED 0x03

#define NLPID_SNAP 0x80
#define NLPID_IPV4 0xcc
#define NLPID_IPV6 0x8e
#define NLPID_PPP  0xcf

#define SNAP_HEADER 5

static bool snap(struct tw_layer *at, uint32_t header, struct tw_dissection *out)
{
    if (!tw_layer_has(at, header + SNAP_HEADER, out))
        return false;
    if (tw_be32(at->bytes, header) >> 8 != 0)
        return false;
    return tw_layer_next(at, header + SNAP_HEADER, TW_ETHERTYPE(tw_be16(at->bytes, header + 3)));
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = 1;

    while (header < MAX_ADDRESS && !(tw_u8(at->bytes, header - 1) & LAST))
        header++;
    if (!tw_layer_has(at, header + 2, out))
        return false;
    if (tw_u8(at->bytes, header) != UNNUMBERED)
        return tw_layer_next(at, header + 2, TW_ETHERTYPE(tw_be16(at->bytes, header)));
    header++;
    /* An optional 0 byte aligns the identifier. */
    if (tw_u8(at->bytes, header) == 0)
        header++;
    switch (tw_u8(at->bytes, header)) {
    case NLPID_IPV4:
        return tw_layer_next(at, header + 1, TW_ETHERTYPE(0x0800));
    case NLPID_IPV6:
        return tw_layer_next(at, header + 1, TW_ETHERTYPE(0x86dd));
    case NLPID_PPP:
        return tw_layer_next(at, header + 1, TW_LINK(9));
    case NLPID_SNAP:
        return snap(at, header + 1, out);
    default:
        return false;
    }
}

static const uint32_t keys[] = {
    TW_LINK(107), /* FRELAY */
    TW_GRE_PROTO(0x6559),
};

TW_PROTOCOL(frame_relay, dissect, keys);
