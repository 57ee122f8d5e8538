/* SPDX-License-Identifier: MIT */
/* FDDI (ANSI X3.139): frame control, addresses, LLC. */
#include "dissect/layer.h"

#define HEADER 13

/* LLC frames of any priority; the first bit marks synchronous ones. */
#define IS_LLC(control) (((control)&0x70) == 0x50)

static bool dissect(struct tw_layer *at, struct tw_dissection *out)
{
    if (!tw_layer_has(at, HEADER, out))
        return false;
    if (!IS_LLC(tw_u8(at->bytes, 0)))
        return false;
    return tw_layer_next(at, HEADER, TW_INNER(TW_INNER_LLC));
}

static const uint32_t keys[] = {
    TW_LINK(10), /* FDDI */
};

TW_PROTOCOL(fddi, dissect, keys);
