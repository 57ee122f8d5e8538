/* SPDX-License-Identifier: MIT */
/* IEEE 802.5, with an optional source route after the addresses. */
#include "dissect/layer.h"

#define HEADER 14

#define TYPE(control) ((control) >> 6)
#define TYPE_LLC      1

#define HAS_ROUTE 0x80 /* first bit of the source address */
#define ROUTE_LEN 0x1f

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    uint32_t header = HEADER;

    if (!tw_layer_has(at, HEADER + 1, out))
        return false;
    if (TYPE(tw_u8(at->bytes, 1)) != TYPE_LLC)
        return false;
    if (tw_u8(at->bytes, 8) & HAS_ROUTE)
        header += tw_u8(at->bytes, HEADER) & ROUTE_LEN;
    if (!tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_INNER(TW_INNER_LLC));
}

static const uint32_t keys[] = {
    TW_LINK(6), /* IEEE802_5 */
};

TW_PROTOCOL(token_ring, dissect, keys);
