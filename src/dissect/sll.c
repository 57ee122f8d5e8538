/* SPDX-License-Identifier: MIT */
/* Linux cooked capture, version 1. */
#include "dissect/cooked.h"

#define HEADER 16

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_cooked_next(at, HEADER, tw_be16(at->bytes, 14));
}

static const uint32_t keys[] = {
    TW_LINK(113), /* LINUX_SLL */
};

TW_PROTOCOL(sll, dissect, keys);
