/* SPDX-License-Identifier: MIT */
/* Per-packet information: fields, and the link type of the packet. */
#include "dissect/layer.h"

#define MIN_HEADER 8

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = tw_le16(at->bytes, 2);
    uint32_t link_type = tw_le32(at->bytes, 4);

    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;
    if (header < MIN_HEADER || link_type > UINT16_MAX)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_LINK(link_type));
}

static const uint32_t keys[] = {
    TW_LINK(192), /* PPI */
};

TW_PROTOCOL(ppi, dissect, keys);
