/* SPDX-License-Identifier: MIT */
/* OpenBSD loopback: the address family in network byte order. */
#include "dissect/family.h"

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, TW_FAMILY_HEADER, out))
        return false;
    return tw_family_next(at, tw_be32(at->bytes, 0));
}

static const uint32_t keys[] = {
    TW_LINK(108), /* LOOP */
};

TW_PROTOCOL(loop, dissect, keys);
