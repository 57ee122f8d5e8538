/* SPDX-License-Identifier: MIT */
/* Linux cooked capture, version 2: protocol first, with the interface. */
#include "dissect/cooked.h"

#define HEADER 20

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_cooked_next(at, HEADER, tw_be16(at->bytes, 0));
}

static const uint32_t keys[] = {
    TW_LINK(276), /* LINUX_SLL2 */
};

TW_PROTOCOL(sll2, dissect, keys);
