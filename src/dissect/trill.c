/* SPDX-License-Identifier: MIT */
/* TRILL (RFC 6325, 3): an Ethernet frame between routing bridges. */
#include "dissect/layer.h"

#define HEADER 6

#define OPTIONS_LEN(word) (((word) >> 6 & 0x1f) * 4u)

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER + OPTIONS_LEN(tw_be16(at->bytes, 0));

    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_LINK(1));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x22f3),
};

TW_PROTOCOL(trill, dissect, keys);
