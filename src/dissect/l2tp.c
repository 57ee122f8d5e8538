/* SPDX-License-Identifier: MIT */
/* Data messages of L2TP version 2 (RFC 2661) carry PPP. */
#include "dissect/layer.h"

#define CONTROL  0x8000
#define LENGTH   0x4000
#define SEQUENCE 0x0800
#define OFFSET   0x0200
#define VERSION  0x000f

/* Flags, tunnel and session. */
#define MIN_HEADER 6

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = MIN_HEADER;

    if (!tw_layer_has(at, MIN_HEADER, out))
        return false;

    uint16_t flags = tw_be16(at->bytes, 0);

    if ((flags & CONTROL) || (flags & VERSION) != 2)
        return false;
    if (flags & LENGTH) {
        tw_layer_clip(at, tw_be16(at->bytes, 2));
        header += 2;
    }
    header += flags & SEQUENCE ? 4 : 0;
    if (flags & OFFSET)
        header += 2u + tw_be16(at->bytes, header);
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_LINK(9));
}

static const uint32_t keys[] = {
    TW_UDP_PORT(1701),
};

TW_PROTOCOL(l2tp, dissect, keys);
