/* SPDX-License-Identifier: MIT */
/* Backbone service tag (802.1ah, "MAC in MAC"): a whole Ethernet frame follows. */
#include "dissect/layer.h"

#define TAG 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, TAG, out))
        return false;
    return tw_layer_next(at, TAG, TW_ETHERTYPE(0x6558));
}

static const uint32_t keys[] = {
    TW_ETHERTYPE(0x88e7),
};

TW_PROTOCOL(backbone, dissect, keys);
