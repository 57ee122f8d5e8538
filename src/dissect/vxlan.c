/* SPDX-License-Identifier: MIT */
/* VXLAN (RFC 7348), and its generic protocol extension. */
#include "dissect/layer.h"

#define HEADER 8

#define PORT_GPE 4790

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    if (at->id == TW_UDP_PORT(PORT_GPE))
        return tw_layer_next(at, HEADER, TW_NSH_PROTO(tw_u8(at->bytes, 3)));
    return tw_layer_next(at, HEADER, TW_ETHERTYPE(0x6558));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(4789),
    TW_UDP_PORT(PORT_GPE),
};

TW_PROTOCOL(vxlan, dissect, keys);
