/* SPDX-License-Identifier: MIT */
/* No link layer: frames start with IP. */
#include "dissect/layer.h"

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, 1, out))
        return false;
    switch (tw_u8(at->bytes, 0) >> 4) {
    case 4:
        return tw_layer_next(at, 0, TW_ETHERTYPE(0x0800));
    case 6:
        return tw_layer_next(at, 0, TW_ETHERTYPE(0x86dd));
    default:
        return false;
    }
}

/* 12 and 14 are DLT_RAW of some systems, found in their files. */
static const uint32_t keys[] = {
    TW_LINK(101), /* RAW */
    TW_LINK(12),  /* RAW */
    TW_LINK(14),  /* RAW */
    TW_LINK(228), /* IPV4 */
    TW_LINK(229), /* IPV6 */
    TW_INNER(TW_INNER_IP),
};

TW_PROTOCOL(raw, dissect, keys);
