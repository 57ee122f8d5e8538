/* SPDX-License-Identifier: MIT */
/* IP over ATM: classical as Linux has it, with or without LLC, and SunATM's traffic types. */
#include "dissect/layer.h"

#define SNAP 0xaaaa

#define SUN_HEADER 4 /* traffic, virtual path, virtual circuit */
#define SUN_LLC    2
#define TRAFFIC(b) ((b)&0x0f)

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (at->id == TW_LINK(106)) {
        if (!tw_layer_has(at, 2, out))
            return false;
        return tw_layer_next(at, 0,
                             TW_INNER(tw_be16(at->bytes, 0) == SNAP ? TW_INNER_LLC : TW_INNER_IP));
    }
    if (!tw_layer_has(at, SUN_HEADER, out))
        return false;
    if (TRAFFIC(tw_u8(at->bytes, 0)) != SUN_LLC)
        return tw_layer_end(out, TW_FRAME_OTHER);
    return tw_layer_next(at, SUN_HEADER, TW_INNER(TW_INNER_LLC));
}

static const uint32_t keys[] = {
    TW_LINK(106), /* ATM_CLIP */
    TW_LINK(123), /* SUNATM */
};

TW_PROTOCOL(atm, dissect, keys);
