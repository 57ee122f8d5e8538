/* SPDX-License-Identifier: MIT */
/* The fixed header of IPv6 (RFC 8200). */
#include "dissect/ip.h"

#define HEADER 40

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    struct tw_segment *s = &out->segment;

    if (!tw_layer_has(at, HEADER, out))
        return false;
    if (tw_u8(at->bytes, 0) >> 4 != 6)
        return tw_layer_end(out, TW_FRAME_MALFORMED);

    uint32_t total = HEADER + (uint32_t)tw_be16(at->bytes, 4);

    s->ip_id = 0;
    s->ttl = tw_u8(at->bytes, 7);
    tw_ip_addresses(at, 8, 16, 6, s);
    if (total == HEADER)
        s->facts |= TW_SEG_NO_IP_LENGTH; /* a jumbogram (RFC 2675) or segmentation offload */
    else
        tw_ip_length(at, total, s);
    return tw_layer_next(at, HEADER, TW_IP_PROTO(tw_u8(at->bytes, 6)));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x86dd), TW_IP_PROTO(41),      TW_PPP_PROTO(0x0057),
    TW_PPP_PROTO(0x86dd), TW_GRE_PROTO(0x86dd), TW_NSH_PROTO(2),
};

TW_PROTOCOL(ipv6, dissect, keys);
