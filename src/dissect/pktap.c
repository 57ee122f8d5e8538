/* SPDX-License-Identifier: MIT */
/* Apple packet tap: process, interface, and the link type of the packet. */
#include "dissect/layer.h"

#define LEAST 12 /* header length, record type, link type: little-endian */

#define KIND_PACKET 1

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header, link_type;

    if (!tw_layer_has(at, LEAST, out))
        return false;
    header = tw_le32(at->bytes, 0);
    link_type = tw_le32(at->bytes, 8);
    if (header < LEAST || header > at->len)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    /* Nesting is not allowed: it might not end. */
    if (tw_le32(at->bytes, 4) != KIND_PACKET || link_type > UINT8_MAX)
        return tw_layer_end(out, TW_FRAME_OTHER);
    return tw_layer_next(at, header, TW_LINK(link_type));
}

static const uint32_t keys[] = {
    TW_LINK(258), /* PKTAP */
};

TW_PROTOCOL(pktap, dissect, keys);
