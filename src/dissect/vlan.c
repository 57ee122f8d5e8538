/* SPDX-License-Identifier: MIT */
/* Tags between the addresses and the type of Ethernet. Each ends in the type of what follows. */
#include "dissect/ether.h"

/* 802.1Q, 802.1ad and the older numbers for stacked tags; Cisco's VN-tag, 802.1BR, HSR. */
#define Q_TAG  4
#define VN_TAG 6
#define E_TAG  8
#define HSR    6

#define Q_VLAN_MASK 0x0fff /* the rest is priority */

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t tag = Q_TAG;

    switch (at->id) {
    case TW_ETHERTYPE(0x8926):
        tag = VN_TAG;
        break;
    case TW_ETHERTYPE(0x893f):
        tag = E_TAG;
        break;
    case TW_ETHERTYPE(0x892f):
        tag = HSR;
        break;
    default:
        break;
    }
    if (!tw_layer_has(at, tag, out))
        return false;
    if (tag == Q_TAG)
        at->vlan = tw_be16(at->bytes, 0) & Q_VLAN_MASK;
    return tw_ether_next(at, tag, tw_be16(at->bytes, tag - 2));
}

static const struct tw_key keys[] = {
    { TW_ETHERTYPE(0x8100), NULL }, { TW_ETHERTYPE(0x88a8), NULL }, { TW_ETHERTYPE(0x9100), NULL },
    { TW_ETHERTYPE(0x9200), NULL }, { TW_ETHERTYPE(0x8926), NULL }, { TW_ETHERTYPE(0x893f), NULL },
    { TW_ETHERTYPE(0x892f), NULL },
};

TW_PROTOCOL(vlan, dissect, keys);
