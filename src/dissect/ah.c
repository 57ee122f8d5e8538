/* SPDX-License-Identifier: MIT */
/* IP authentication header (RFC 4302): the payload is not encrypted. */
#include "dissect/layer.h"

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    /* The length counts 4-byte words less 2. */
    uint32_t header = ((uint32_t)tw_u8(at->bytes, 1) + 2) * 4;

    if (!tw_layer_has(at, 12, out) || !tw_layer_has(at, header, out))
        return false;
    return tw_layer_next(at, header, TW_IP_PROTO(tw_u8(at->bytes, 0)));
}

static const uint32_t keys[] = {
    TW_IP_PROTO(51),
};

TW_PROTOCOL(ah, dissect, keys);
