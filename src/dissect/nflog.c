/* SPDX-License-Identifier: MIT */
/* Linux netfilter log: attributes in host byte order, one of them the packet. */
#include "dissect/layer.h"

#define HEADER    4
#define ATTRIBUTE 4 /* length and type */

#define PAYLOAD 9

static uint16_t host16(struct tw_bytes b, size_t at, bool big)
{
    return big ? tw_be16(b, at) : tw_le16(b, at);
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t offset = HEADER;

    if (!tw_layer_has(at, HEADER + ATTRIBUTE, out))
        return false;

    /* Attributes are short: the byte order with the smaller length is right. */
    bool big = tw_be16(at->bytes, HEADER) < tw_le16(at->bytes, HEADER);

    while (tw_layer_has(at, offset + ATTRIBUTE, out)) {
        uint32_t len = host16(at->bytes, offset, big);
        uint16_t type = host16(at->bytes, offset + 2, big);

        if (len < ATTRIBUTE)
            return tw_layer_end(out, TW_FRAME_MALFORMED);
        if (type == PAYLOAD) {
            tw_layer_next(at, offset + ATTRIBUTE, TW_INNER(TW_INNER_IP));
            tw_layer_clip(at, len - ATTRIBUTE);
            return true;
        }
        offset += (len + 3) & ~3u;
    }
    return tw_layer_end(out, TW_FRAME_OTHER);
}

static const uint32_t keys[] = {
    TW_LINK(239), /* NFLOG */
};

TW_PROTOCOL(nflog, dissect, keys);
