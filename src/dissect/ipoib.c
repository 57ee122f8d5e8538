/* SPDX-License-Identifier: MIT */
/* IP over InfiniBand (RFC 4391): hardware address, Ethernet type and two zero bytes. */
#include "dissect/layer.h"

#define ADDRESS 40
#define HEADER  4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, ADDRESS + HEADER, out))
        return false;
    return tw_layer_next(at, ADDRESS + HEADER, TW_ETHERTYPE(tw_be16(at->bytes, ADDRESS)));
}

static const uint32_t keys[] = {
    TW_LINK(242), /* IPOIB */
};

TW_PROTOCOL(ipoib, dissect, keys);
