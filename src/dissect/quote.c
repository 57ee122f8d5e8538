/* SPDX-License-Identifier: MIT */
/* Records an ICMP error and steps into the datagram that it quotes. */
#include "dissect/quote.h"

#include <string.h>

bool tw_quote_enter(struct tw_layer *at, enum tw_icmp_kind kind, uint32_t mtu, uint32_t ip,
                    struct tw_dissection *out)
{
    out->icmp = kind;
    out->icmp_code = tw_u8(at->bytes, 1);
    out->icmp_mtu = mtu;
    memcpy(out->icmp_from, out->segment.tuple.address[0], sizeof(out->icmp_from));
    /* The quote is no tunnel: it is a datagram of its own. */
    memset(&out->segment, 0, sizeof(out->segment));
    out->segment.facts = TW_SEG_QUOTED;
    return tw_layer_next(at, TW_ICMP_HEADER, ip);
}
