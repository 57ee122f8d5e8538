/* SPDX-License-Identifier: MIT */
/* PPP, with or without the HDLC-like address and control bytes (RFC 1661, RFC 1662). */
#include "dissect/layer.h"

#define ADDRESS_CONTROL 0xff03

/* Address bytes of Cisco HDLC, which uses the same lines. */
#define CISCO_UNICAST   0x0f
#define CISCO_MULTICAST 0x8f

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    /* Address and control may be omitted by negotiation (RFC 1661 section 6.6). */
    uint32_t header = tw_be16(at->bytes, 0) == ADDRESS_CONTROL ? 2 : 0;

    if (!tw_layer_has(at, header + 2, out))
        return false;
    if (tw_be16(at->bytes, 0) == CISCO_UNICAST << 8 || tw_be16(at->bytes, 0) == CISCO_MULTICAST
                                                                                    << 8)
        return tw_layer_next(at, 0, TW_LINK(104));
    /* An odd first byte is a compressed protocol field (RFC 1661 section 6.5). */
    if (tw_u8(at->bytes, header) & 1)
        return tw_layer_next(at, header + 1, TW_PPP_PROTO(tw_u8(at->bytes, header)));
    return tw_layer_next(at, header + 2, TW_PPP_PROTO(tw_be16(at->bytes, header)));
}

static const uint32_t keys[] = {
    TW_LINK(9),  /* PPP */
    TW_LINK(50), /* PPP_HDLC */
    TW_GRE_PROTO(0x880b),
};

TW_PROTOCOL(ppp, dissect, keys);
