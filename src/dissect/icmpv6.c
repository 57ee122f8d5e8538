/* SPDX-License-Identifier: MIT */
/* ICMPv6 errors (RFC 4443), and the search for neighbours (RFC 4861, 4.3 and 4.4). */
#include "dissect/quote.h"

#include <string.h>

#define UNREACHABLE   1
#define TOO_BIG       2
#define TIME_EXCEEDED 3
#define PARAMETER     4
#define SOLICITATION  135
#define ADVERTISEMENT 136

#define TARGET  8
#define ADDRESS 16

/* The target is who is asked for, or who answers. */
static bool take_neighbour(const struct tw_layer *at, bool answers, struct tw_dissection *out)
{
    uint8_t(*address)[ADDRESS] = out->segment.tuple.address;

    if (out->segment.facts & TW_SEG_QUOTED || !tw_bytes_has(at->bytes, TARGET, ADDRESS))
        return false;
    memcpy(address[answers ? 0 : 1], tw_bytes_from(at->bytes, TARGET).data, ADDRESS);
    out->neighbour_answers = answers;
    return tw_layer_end(out, TW_FRAME_NEIGHBOUR);
}

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
    case SOLICITATION:
    case ADVERTISEMENT:
        return take_neighbour(at, tw_u8(at->bytes, 0) == ADVERTISEMENT, out);
    default:
        return false;
    }
    return tw_quote_enter(at, kind, mtu, TW_ETHERTYPE(0x86dd), out);
}

static const uint32_t keys[] = {
    TW_IP_PROTO(58),
};

TW_PROTOCOL(icmpv6, dissect, keys);
