/* SPDX-License-Identifier: MIT */
/* Ethernet II, and IEEE 802.3 with its length in place of the type. */
#include "dissect/ether.h"

#define HEADER 14

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_ether_next(at, HEADER, tw_be16(at->bytes, 12));
}

static const struct tw_key keys[] = {
    { TW_LINK(1), "ETHERNET" },
    /* Transparent Ethernet bridging, inside tunnels. */
    { TW_ETHERTYPE(0x6558), NULL },
    { TW_GRE_PROTO(0x6558), NULL },
    { TW_GRE_PROTO(0x6400), NULL },
    { TW_IP_PROTO(143), NULL },
    { TW_NSH_PROTO(3), NULL },
};

TW_PROTOCOL(ethernet, dissect, keys);
