/* SPDX-License-Identifier: MIT */
/* ICMP errors (RFC 792) and their MTU (RFC 1191). */
#include "dissect/quote.h"

#define UNREACHABLE   3
#define SOURCE_QUENCH 4
#define REDIRECT      5
#define TIME_EXCEEDED 11
#define PARAMETER     12

#define CODE_TOO_BIG 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    enum tw_icmp_kind kind = TW_ICMP_OTHER;
    uint32_t mtu = 0;

    if (!tw_layer_has(at, TW_ICMP_HEADER, out))
        return false;
    switch (tw_u8(at->bytes, 0)) {
    case UNREACHABLE:
        kind = TW_ICMP_UNREACHABLE;
        if (tw_u8(at->bytes, 1) == CODE_TOO_BIG) {
            kind = TW_ICMP_TOO_BIG;
            mtu = tw_be16(at->bytes, 6);
        }
        break;
    case TIME_EXCEEDED:
        kind = TW_ICMP_TIME_EXCEEDED;
        break;
    case REDIRECT:
        kind = TW_ICMP_REDIRECT;
        break;
    case SOURCE_QUENCH:
    case PARAMETER:
        break;
    default:
        return false;
    }
    return tw_quote_enter(at, kind, mtu, TW_ETHERTYPE(0x0800), out);
}

static const uint32_t keys[] = {
    TW_IP_PROTO(1),
};

TW_PROTOCOL(icmp, dissect, keys);
