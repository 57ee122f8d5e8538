/* SPDX-License-Identifier: MIT */
/* Cisco's mirrored frames in GRE: types II and III (draft-foschiano-erspan); type I is in gre.c. */
#include "dissect/layer.h"

#define HEADER_II  8
#define HEADER_III 12
#define SUBHEADER  8

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header;

    if (!tw_layer_has(at, HEADER_II, out))
        return false;
    switch (tw_u8(at->bytes, 0) >> 4) {
    case 1:
        header = HEADER_II;
        break;
    case 2:
        if (!tw_layer_has(at, HEADER_III, out))
            return false;
        header = HEADER_III + (tw_u8(at->bytes, 11) & 1 ? SUBHEADER : 0);
        break;
    default:
        return false;
    }
    return tw_layer_next(at, header, TW_ETHERTYPE(0x6558));
}

static const uint32_t keys[] = {
    TW_GRE_PROTO(0x88be),
    TW_GRE_PROTO(0x22eb),
};

TW_PROTOCOL(erspan, dissect, keys);
