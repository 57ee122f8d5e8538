/* SPDX-License-Identifier: MIT */
/* ICMPv6 errors (RFC 4443). */
#include "dissect/quote.h"

#define UNREACHABLE   1
#define TOO_BIG       2
#define TIME_EXCEEDED 3
#define PARAMETER     4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    enum tw_icmp_kind kind = TW_ICMP_OTHER;
    uint32_t mtu = 0;

    if (!tw_layer_has(at, TW_ICMP_HEADER, out))
        return false;
    switch (tw_u8(at->bytes, 0)) {
    case UNREACHABLE:
        kind = TW_ICMP_UNREACHABLE;
        break;
    case TOO_BIG:
        kind = TW_ICMP_TOO_BIG;
        mtu = tw_be32(at->bytes, 4);
        break;
    case TIME_EXCEEDED:
        kind = TW_ICMP_TIME_EXCEEDED;
        break;
    case PARAMETER:
        break;
    default:
        return false;
    }
    return tw_quote_enter(at, kind, mtu, TW_ETHERTYPE(0x86dd), out);
}

static const uint32_t keys[] = {
    TW_IP_PROTO(58),
};

TW_PROTOCOL(icmpv6, dissect, keys);
