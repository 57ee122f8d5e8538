/* SPDX-License-Identifier: MIT */
/* Multilink PPP (RFC 1990), long sequence numbers: unfragmented packets only. */
#include "dissect/layer.h"

#define HEADER 4
#define WHOLE  0xc0 /* first and last fragment at once */

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out) || (tw_u8(at->bytes, 0) & WHOLE) != WHOLE)
        return false;
    return tw_layer_next(at, HEADER, TW_LINK(9));
}

static const uint32_t keys[] = {
    TW_PPP_PROTO(0x003d),
};

TW_PROTOCOL(ppp_multilink, dissect, keys);
