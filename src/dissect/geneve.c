/* SPDX-License-Identifier: MIT */
/* Geneve (RFC 8926). */
#include "dissect/layer.h"

#define HEADER 8

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER + (tw_u8(at->bytes, 0) & 0x3fu) * 4;

    if (!tw_layer_has(at, HEADER, out) || !tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_ETHERTYPE(tw_be16(at->bytes, 2)));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(6081),
};

TW_PROTOCOL(geneve, dissect, keys);
