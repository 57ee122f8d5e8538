/* SPDX-License-Identifier: MIT */
/* Network service header (RFC 8300). */
#include "dissect/layer.h"

#define MIN_HEADER 8

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = (tw_u8(at->bytes, 1) & 0x3fu) * 4;

    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;
    if (header < MIN_HEADER)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_NSH_PROTO(tw_u8(at->bytes, 3)));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x894f),
    TW_GRE_PROTO(0x894f),
    TW_NSH_PROTO(4),
};

TW_PROTOCOL(nsh, dissect, keys);
