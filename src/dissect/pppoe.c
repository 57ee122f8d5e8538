/* SPDX-License-Identifier: MIT */
/* PPP over Ethernet, session stage (RFC 2516). */
#include "dissect/layer.h"

#define HEADER 6

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;

    uint32_t len = tw_be16(at->bytes, 4);

    tw_layer_next(at, HEADER, TW_LINK(9));
    tw_layer_clip(at, len);
    return true;
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x8864),
};

TW_PROTOCOL(pppoe, dissect, keys);
