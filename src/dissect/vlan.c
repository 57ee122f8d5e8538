/* SPDX-License-Identifier: MIT */
/* VLAN tags: 802.1Q, 802.1ad, and the numbers used before 802.1ad for stacked tags. */
#include "dissect/ether.h"

#define TAG 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, TAG, out))
        return false;
    return tw_ether_next(at, TAG, tw_be16(at->bytes, 2));
}

static const struct tw_key keys[] = {
    { TW_ETHERTYPE(0x8100), NULL },
    { TW_ETHERTYPE(0x88a8), NULL },
    { TW_ETHERTYPE(0x9100), NULL },
    { TW_ETHERTYPE(0x9200), NULL },
};

TW_PROTOCOL(vlan, dissect, keys);
