/* SPDX-License-Identifier: MIT */
/* Switch tags between a frame's addresses and its type: Broadcom and Marvell. */
#include "dissect/ether.h"

#define ADDRESSES    12
#define TAG          4
#define EXTENDED_TAG 8 /* with its own Ethernet type */
#define TYPE         2

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = ADDRESSES + (at->id == TW_LINK(284) ? EXTENDED_TAG : TAG);

    if (!tw_layer_has(at, header + TYPE, out))
        return false;
    return tw_ether_next(at, header + TYPE, tw_be16(at->bytes, header));
}

static const uint32_t keys[] = {
    TW_LINK(281), /* DSA_TAG_BRCM */
    TW_LINK(283), /* DSA_TAG_DSA */
    TW_LINK(284), /* DSA_TAG_EDSA */
};

TW_PROTOCOL(dsa, dissect, keys);
