/* SPDX-License-Identifier: MIT */
/* Cisco's HDLC: address, control, Ethernet type. */
#include "dissect/layer.h"

#define HEADER 4

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    return tw_layer_next(at, HEADER, TW_ETHERTYPE(tw_be16(at->bytes, 2)));
}

static const uint32_t keys[] = {
    TW_LINK(104), /* C_HDLC */
};

TW_PROTOCOL(chdlc, dissect, keys);
