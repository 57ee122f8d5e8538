/* SPDX-License-Identifier: MIT */
/* Ethernet II, and IEEE 802.3 with a length instead of the type. */
#include "dissect/ether.h"

#define HEADER 14

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_ether_next(at, HEADER, tw_be16(at->bytes, 12));
}

static const uint32_t keys[] = {
    TW_LINK(1), /* ETHERNET */
    /* Transparent Ethernet bridging, inside tunnels. */
    TW_ETHERTYPE(0x6558),
    TW_GRE_PROTO(0x6558),
    TW_GRE_PROTO(0x6400),
    TW_IP_PROTO(143),
    TW_NSH_PROTO(3),
};

TW_PROTOCOL(ethernet, dissect, keys);
