/* SPDX-License-Identifier: MIT */
/* Tags between the Ethernet addresses and type, each ending with the next type. */
#include "dissect/ether.h"

#define Q_VLAN_MASK 0x0fff /* other bits: priority */

/* Tags longer than 802.1Q, with their sizes including the type. */
static const struct {
    uint32_t id;
    uint32_t len;
} tags[] = {
    { TW_ETHERTYPE(0x8926), 6 }, /* Cisco's VN-tag */
    { TW_ETHERTYPE(0x893f), 8 }, /* 802.1BR */
    { TW_ETHERTYPE(0x892f), 6 }, /* HSR */
    { TW_ETHERTYPE(0xf1c1), 6 }, /* 802.1CB */
    { TW_ETHERTYPE(0x8909), 8 }, /* Cisco's metadata, a security group */
};

#define Q_TAG 4

static uint32_t tag_len(uint32_t id)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i].id == id)
            return tags[i].len;
    return Q_TAG;
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t len = tag_len(at->id);

    if (!tw_layer_has(at, len, out))
        return false;
    if (len == Q_TAG)
        at->vlan = tw_be16(at->bytes, 0) & Q_VLAN_MASK;
    return tw_ether_next(at, len, tw_be16(at->bytes, len - 2));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x8100), TW_ETHERTYPE(0x88a8), TW_ETHERTYPE(0x9100),
    TW_ETHERTYPE(0x9200), TW_ETHERTYPE(0x8926), TW_ETHERTYPE(0x893f),
    TW_ETHERTYPE(0x892f), TW_ETHERTYPE(0xf1c1), TW_ETHERTYPE(0x8909),
};

TW_PROTOCOL(vlan, dissect, keys);
