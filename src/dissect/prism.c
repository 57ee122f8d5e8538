/* SPDX-License-Identifier: MIT */
/* The older headers before 802.11 frames: Prism, and its successor AVS. */
#include "dissect/layer.h"

#define MIN_HEADER 8

/* AVS begins with its version in network byte order; Prism files may have either order. */
#define AVS_MAGIC 0x80211000u
#define AVS_MASK  0xfffff000u

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header;

    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;
    if (at->id == TW_LINK(163) || (tw_be32(at->bytes, 0) & AVS_MASK) == AVS_MAGIC)
        header = tw_be32(at->bytes, 4);
    else
        header = tw_le32(at->bytes, 4);
    if (header < MIN_HEADER)
        return tw_layer_end(out, TW_FRAME_MALFORMED);
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_LINK(105));
}

static const uint32_t keys[] = {
    TW_LINK(119), /* IEEE802_11_PRISM */
    TW_LINK(163), /* IEEE802_11_AVS */
};

TW_PROTOCOL(prism, dissect, keys);
