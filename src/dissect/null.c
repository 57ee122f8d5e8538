/* SPDX-License-Identifier: MIT */
/* BSD loopback: the address family in the byte order of the capturing host. */
#include "dissect/family.h"

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, TW_FAMILY_HEADER, out))
        return false;

    uint32_t family = tw_le32(at->bytes, 0);

    /* Families are small numbers: a large one is in the other byte order. */
    if (family > UINT16_MAX)
        family = tw_be32(at->bytes, 0);
    /* Some systems write an Ethernet type here. */
    if (family >= TW_ETHER_MIN_TYPE && family <= UINT16_MAX)
        return tw_layer_next(at, TW_FAMILY_HEADER, TW_ETHERTYPE(family));
    return tw_family_next(at, family);
}

static const uint32_t keys[] = {
    TW_LINK(0), /* NULL */
};

TW_PROTOCOL(null, dissect, keys);
