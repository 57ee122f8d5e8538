/* SPDX-License-Identifier: MIT */
/* IP over IEEE 1394 as captured by Apple's systems: two 8-byte addresses, Ethernet type. */
#include "dissect/layer.h"

#define HEADER 18

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_layer_next(at, HEADER, TW_ETHERTYPE(tw_be16(at->bytes, 16)));
}

static const uint32_t keys[] = {
    TW_LINK(138), /* APPLE_IP_OVER_IEEE1394 */
};

TW_PROTOCOL(firewire, dissect, keys);
