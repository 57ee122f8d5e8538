/* SPDX-License-Identifier: MIT */
/* Captures of Juniper routers ("monitor traffic"): a header, and extensions, which are skipped. */
#include "dissect/layer.h"

#define MAGIC     0x4d4743u
#define HEADER    4
#define EXTENDED  0x80 /* extensions follow, preceded by their length */
#define NO_LINK   0x02 /* no link layer; four bytes name its type */
#define EXTENSION 2
#define FAMILY    4

static uint32_t link_of(uint32_t id)
{
    switch (id) {
    case TW_LINK(179):
        return TW_LINK(9);
    case TW_LINK(180):
        return TW_LINK(107);
    case TW_LINK(181):
        return TW_LINK(104);
    default:
        return TW_LINK(1);
    }
}

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER;

    if (!tw_layer_has(at, HEADER, out) || tw_be32(at->bytes, 0) >> 8 != MAGIC)
        return false;

    uint8_t flags = tw_u8(at->bytes, 3);

    if (flags & EXTENDED)
        header += EXTENSION + tw_be16(at->bytes, HEADER);
    if (flags & NO_LINK)
        header += FAMILY;
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, flags & NO_LINK ? TW_INNER(TW_INNER_IP) : link_of(at->id));
}

static const uint32_t keys[] = {
    TW_LINK(178), /* JUNIPER_ETHER */
    TW_LINK(179), /* JUNIPER_PPP */
    TW_LINK(180), /* JUNIPER_FRELAY */
    TW_LINK(181), /* JUNIPER_CHDLC */
};

TW_PROTOCOL(juniper, dissect, keys);
